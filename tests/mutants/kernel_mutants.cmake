# Mutants of kernels whose mistake is planted in a copy of a header. One text of the copy is replaced. The copy is made
# at configure time, so it follows the header. It is an error if the header no longer has the text.
#
# The copy is in the namespace <namespace>::<id in lower case>, so that one program has the
# right kernels and the wrong ones. Names that the copy lacks are found in the enclosing <namespace>.
#
# assay_kernel_mutant(<id> <header> NAMESPACE <namespace> FIND <text> REPLACE <text>
#                     [USERS <header>…] [INCLUDE <header>])
# makes the mutated header, included as "mutated/<id>/<header>". USERS are headers of the same namespace that include
# it; they are copied too. INCLUDE is a header with functions that REPLACE calls.
function(assay_kernel_mutant id header)
  cmake_parse_arguments(PARSE_ARGV 2 MUTANT "" "NAMESPACE;FIND;REPLACE;INCLUDE" "USERS")
  string(TOLOWER ${id} lower)
  set(inner "namespace ${MUTANT_NAMESPACE}::${lower} {")
  if(NOT MUTANT_NAMESPACE MATCHES "::detail$")
    # The copy has a namespace `detail` of its own. Names of the other headers are found through it.
    string(APPEND inner "\nnamespace detail {\nusing namespace ${MUTANT_NAMESPACE}::detail;\n}")
  endif()
  foreach(copy ${header} ${MUTANT_USERS})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${copy}")
    file(READ "${PROJECT_SOURCE_DIR}/${copy}" text)
    if(copy STREQUAL header)
      assay_replace_text("${MUTANT_FIND}" "${MUTANT_REPLACE}" text "mutant ${id}: ${copy}")
    endif()
    string(REPLACE "namespace ${MUTANT_NAMESPACE} {" "${inner}" text "${text}")
    foreach(other ${header} ${MUTANT_USERS})
      string(REPLACE "#include \"${other}\"" "#include \"mutated/${id}/${other}\"" text "${text}")
    endforeach()
    if(MUTANT_INCLUDE)
      string(REPLACE "#pragma once" "#pragma once\n#include \"${MUTANT_INCLUDE}\"" text "${text}")
    endif()
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/mutated/${id}/${copy}" CONTENT "${text}" @ONLY)
  endforeach()
endfunction()

set(interval arith/residues/interval.hpp)
assay_kernel_mutant(N2 ${interval} NAMESPACE assay::rns
  FIND "assay::add_in_range<Rounding::ru>(a, b)" REPLACE "a + b")
assay_kernel_mutant(N3 ${interval} NAMESPACE assay::rns
  FIND "assay::mul_in_range<Rounding::ru>(s[i], t.reciprocal_ru[i]); },
                              [](double a, double b) { return assay::add_in_range<Rounding::ru>(a, b); }"
  REPLACE "s[i] * (1.0 / t.m[i]); }, [](double a, double b) { return a + b; }")
assay_kernel_mutant(N4 ${interval} NAMESPACE assay::rns
  FIND "assay::mul_in_range<Rounding::ru>(s[i], t.reciprocal_ru[i])" REPLACE "s[i] * t.reciprocal_ru[i]")
assay_kernel_mutant(N6 ${interval} NAMESPACE assay::rns FIND "&& lower_floor != upper_floor" REPLACE "&& false")
assay_kernel_mutant(N7 ${interval} NAMESPACE assay::rns FIND "upper >= threshold" REPLACE "upper >= 0")
assay_kernel_mutant(N8 ${interval} NAMESPACE assay::rns FIND ", -total)" REPLACE ", 1 - total)")
assay_kernel_mutant(N15 ${interval} NAMESPACE assay::rns
  FIND "equal(x, y) ? 0 : compare_by_digits(x, y)" REPLACE "equal(x, y) ? 0 : 0")
assay_kernel_mutant(V15 arith/residues/mp_number.hpp NAMESPACE assay::mp FIND "+ shift >= -1" REPLACE "+ shift >= -2")

set(finish kernels/gemv/detail/mp_gemv_exact_finish.hpp)
set(call kernels/gemv/detail/mp_gemv_exact_call.hpp)
assay_kernel_mutant(V16 ${finish} NAMESPACE assay::gemv::detail USERS ${call}
  FIND "e >= GemvExactPlan::least_exponent && e < lowest"
  REPLACE "e >= GemvExactPlan::least_exponent && e < lowest &&
            base + plan.window - 1 - e <= plan.sum_bits + standard_limb_tables(plan.n).precision + 2")
set(integers kernels/gemv/detail/mp_gemv_exact_integers.hpp)
assay_kernel_mutant(V17 ${integers} NAMESPACE assay::gemv::detail USERS ${finish} ${call}
  FIND "reaches(below + tables.precision + 4)" REPLACE "reaches(below + 4)")
assay_kernel_mutant(V18 ${integers} NAMESPACE assay::gemv::detail USERS ${finish} ${call}
  FIND "s.z_is.count == 0 ? 0 : s.z_is.negative == negative ? 1 : -1" REPLACE "0")

set(engine kernels/gemm/detail/ozaki_engine.hpp)
set(mistakes tests/mutants/device/slice_mistakes.hpp)
assay_kernel_mutant(O1 ${engine} NAMESPACE assay::gemm::detail INCLUDE ${mistakes}
  FIND "ozaki::slice_bits(plan_.inner)" REPLACE "53 - (53 + mutants::floor_log2(plan_.inner)) / 2")
assay_kernel_mutant(O3 ${engine} NAMESPACE assay::gemm::detail
  FIND "ozaki::slice_bits(plan_.inner)" REPLACE "53 - 27")
assay_kernel_mutant(O5 ${engine} NAMESPACE assay::gemm::detail FIND "line.top + 1 - q" REPLACE "line.top - q")
assay_kernel_mutant(O8 ${engine} NAMESPACE assay::gemm::detail INCLUDE ${mistakes}
  FIND "b_tile_ = j;"
  REPLACE "b_tile_ = j;
      const std::vector<std::int32_t> units = mutants::repeated(rows_.unit, columns_.unit.size());
      copy_to(on_, unit_b_, units.data(), units.size() * sizeof(std::int32_t));")
assay_kernel_mutant(O9 ${engine} NAMESPACE assay::gemm::detail INCLUDE ${mistakes}
  FIND "gemm_scan(" REPLACE "mutants::scan_signed_maximum(")
assay_kernel_mutant(O10 ${engine} NAMESPACE assay::gemm::detail FIND "tile.levels = " REPLACE "tile.levels = -1 + ")
assay_kernel_mutant(O13 kernels/gemm/detail/ozaki_split_kernel.hpp NAMESPACE assay::gemm::detail
  INCLUDE ${mistakes} USERS ${engine}
  FIND "zero ? 0.0 : of.x[line * of.line_step + l * of.inner_step]"
  REPLACE "zero ? 0.0 : mutants::with_implicit_bit(of.x[line * of.line_step + l * of.inner_step])")
# A line with the exponents log₂ 0 needs more slices than a product may have.
assay_kernel_mutant(O15 ${engine} NAMESPACE assay::gemm::detail
  FIND "const int needed = zero ? 0 :"
  REPLACE "const int needed = line.is_zero() ? ozaki::slices_needed(-1073, -32768, q) : zero ? 0 :")
assay_kernel_mutant(O4 kernels/gemm/detail/crt_planner.hpp NAMESPACE assay::gemm::detail
  USERS kernels/gemm/detail/crt_engine.hpp FIND "sign_bits = 1;" REPLACE "sign_bits = 0;")

set(quad_double arith/words/quad_double.hpp)
assay_kernel_mutant(R17 ${quad_double} NAMESPACE assay
  FIND "const T a[4] = {x.x0, x.x1, x.x2, x.x3};
  const T b[4] = {y.x0, y.x1, y.x2, y.x3};"
  REPLACE "const T a[4] = {x.x0, x.x1, T(0), T(0)};
  const T b[4] = {y.x0, y.x1, T(0), T(0)};")
assay_kernel_mutant(R13 ${quad_double} NAMESPACE assay
  FIND "return detail::renormalised(s.p0, s.p1, s.s0, t.s, t_low + fourth);"
  REPLACE "return static_cast<void>(t_low + fourth), detail::renormalised(s.p0, s.p1, s.s0, t.s);")

set(products arith/expansion/expansion.hpp)
assay_kernel_mutant(R11 ${products} NAMESPACE assay::expansion
  FIND "const Product<T> c = two_prod(a.x[i], b.x[l - i]);
      add_cascade<l>(c.p, s);"
  REPLACE "const Product<T> c = two_prod(a.x[i], i >= 1 && l - i >= 1 ? T(0) : b.x[l - i]);
      add_cascade<l>(c.p, s);")
assay_kernel_mutant(R12 ${products} NAMESPACE assay::expansion
  FIND "s[l] = fma(a.x[i], b.x[l - i], s[l]);" REPLACE "s[l] = fma(a.x[i], T(0), s[l]);")
set(binned arith/expansion/binned_product.hpp)
assay_kernel_mutant(R14 ${binned} NAMESPACE assay::expansion
  FIND "i + j < R ? two_prod(a.x[i], b.x[j])" REPLACE "i + j < R - 1 ? two_prod(a.x[i], b.x[j])")
assay_kernel_mutant(R15 ${binned} NAMESPACE assay::expansion
  FIND "if (below < b - 2 * rest - 1)" REPLACE "if (below < b)")

set(accurate_sum arith/accumulators/accurate_sum.hpp)
assay_kernel_mutant(S19 ${accurate_sum} NAMESPACE assay FIND "<< m < n + 2" REPLACE "<< m < n")
assay_kernel_mutant(S20 ${accurate_sum} NAMESPACE assay
  FIND "shrink = two * T(static_cast<double>(n)) * u" REPLACE "shrink = T(static_cast<double>(n)) * u")
assay_kernel_mutant(S21 ${accurate_sum} NAMESPACE assay
  FIND "bits <= 0 ? 1 : 1 + (bits" REPLACE "bits <= 0 ? 1 : (bits")
assay_kernel_mutant(S22 ${accurate_sum} NAMESPACE assay
  FIND "for (std::int64_t i = 0; i < n; ++i) {
    if (!(p[i] * down" REPLACE "for (std::int64_t i = 1; i < n; ++i) {
    if (!(p[i] * down")

set(binned_sum arith/accumulators/binned.hpp)
assay_kernel_mutant(B1 ${binned_sum} NAMESPACE assay FIND "to_bits(x) | 1" REPLACE "to_bits(x)")
assay_kernel_mutant(B2 ${binned_sum} NAMESPACE assay FIND "if (pending == additions)" REPLACE "if (pending < 0)")
assay_kernel_mutant(B3 ${binned_sum} NAMESPACE assay FIND "y.raise(bin);" REPLACE "")
assay_kernel_mutant(B4 ${binned_sum} NAMESPACE assay FIND "carry[k] += y.carry[k];" REPLACE "")
assay_kernel_mutant(B5 ${binned_sum} NAMESPACE assay
  FIND "top - lowest + 1 + below" REPLACE "top - lowest + below")
assay_kernel_mutant(B6 ${binned_sum} NAMESPACE assay FIND "carry[k] = carry[k - 1];" REPLACE "")
assay_kernel_mutant(B7 ${binned_sum} NAMESPACE assay FIND "add(z.e);" REPLACE "")
assay_kernel_mutant(B8 ${binned_sum} NAMESPACE assay
  FIND "abs(z.p) >= bits::power_of_two<T>(FloatTraits<T>::emin + precision) &&" REPLACE "")
assay_kernel_mutant(B9 ${binned_sum} NAMESPACE assay FIND "&& is_finite(z.p)" REPLACE "")
assay_kernel_mutant(B10 ${binned_sum} NAMESPACE assay FIND "(z.exponent - odd) / 2" REPLACE "z.exponent / 2")
assay_kernel_mutant(B11 ${binned_sum} NAMESPACE assay
  FIND "const int quarter = half / 2" REPLACE "const int quarter = half")
assay_kernel_mutant(B17 ${binned_sum} NAMESPACE assay
  FIND "const int odd = z.exponent & 1" REPLACE "const int odd = z.exponent")
assay_kernel_mutant(B18 ${binned_sum} NAMESPACE assay FIND "pending > additions - n" REPLACE "pending > additions")
assay_kernel_mutant(B19 ${binned_sum} NAMESPACE assay
  FIND "top = larger(top, top_bits(x[j]));" REPLACE "top = top_bits(x[j]);")
assay_kernel_mutant(B20 ${binned_sum} NAMESPACE assay FIND "e[j] * by" REPLACE "e[j] * T(0)")
assay_kernel_mutant(B21 ${binned_sum} NAMESPACE assay FIND "if (exact && makes" REPLACE "if (makes")
set(binned_kernels kernels/sum/detail/binned_kernels.hpp)
assay_kernel_mutant(B12 ${binned_kernels} NAMESPACE assay::sum::detail FIND "if (i < n) {" REPLACE "if (false) {")
assay_kernel_mutant(B13 ${binned_kernels} NAMESPACE assay::sum::detail
  FIND "int d = threads / 2; d > 0" REPLACE "int d = threads / 4; d > 0")
assay_kernel_mutant(B14 ${binned_kernels} NAMESPACE assay::sum::detail
  FIND "static_cast<std::int64_t>(block.index()) * threads + t;" REPLACE "t;")
assay_kernel_mutant(B15 ${binned_kernels} NAMESPACE assay::sum::detail
  FIND "to_bits(x[i]) & kept" REPLACE "to_bits(x[i]) ^ static_cast<BitsOf<T>>(~kept)")
assay_kernel_mutant(B16 ${binned_kernels} NAMESPACE assay::sum::detail
  FIND "{{partial}, count, 1, total}" REPLACE "{{partial + 1}, count - 1, 1, total}")

set(limb_rounding arith/limbs/float_rounding.hpp)
set(limb_arithmetic arith/limbs/float_arithmetic.hpp)
set(limb_sums kernels/limb/detail/sums.hpp)
assay_kernel_mutant(L1 ${limb_rounding} NAMESPACE assay::limb USERS ${limb_arithmetic}
  FIND "half && (low || (z.word[0] & 1) != 0)" REPLACE "half")
assay_kernel_mutant(L2 ${limb_rounding} NAMESPACE assay::limb USERS ${limb_arithmetic}
  FIND "const bool low = rest || " REPLACE "const bool low = ")
assay_kernel_mutant(L3 ${limb_rounding} NAMESPACE assay::limb USERS ${limb_arithmetic}
  FIND "      ++e;
" REPLACE "")
assay_kernel_mutant(L4 ${limb_rounding} NAMESPACE assay::limb USERS ${limb_arithmetic}
  FIND "e == least_exponent - 1 && (rest || any_below(x, bits - 1))" REPLACE "e == least_exponent - 1")
assay_kernel_mutant(L5 ${limb_rounding} NAMESPACE assay::limb USERS ${limb_arithmetic}
  FIND "if (to == Rounding::rn || outward) return infinity" REPLACE "if (to != Rounding::rz) return infinity")
assay_kernel_mutant(L6 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "const bool rest = below > 0 && any_below(b.word, below < 32 * b.count ? below : 32 * b.count)" REPLACE "const bool rest = false")
assay_kernel_mutant(L7 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "opposite && !rest ? 1 : 0" REPLACE "opposite ? 1 : 0")
assay_kernel_mutant(L8 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "rounded_sum<L, 2 * L + 1>" REPLACE "rounded_sum<L, 2 * L>")
assay_kernel_mutant(L9 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "      minus = b.minus;
" REPLACE "")
assay_kernel_mutant(L10 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "zero<L>(zero_sum_is_negative(a.minus, b.minus, to))" REPLACE "zero<L>(false)")
assay_kernel_mutant(L11 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "for (int k = 0; k < L; ++k) {
      carry += std::uint64_t{x[i]} * y[k]" REPLACE "for (int k = i == 0 ? 1 : 0; k < L; ++k) {
      carry += std::uint64_t{x[i]} * y[k]")
assay_kernel_mutant(L12 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "while (negative) {
      --q;
      negative = !detail::add_back(n + k, y.word, L, 0);" REPLACE "if (negative) {
      --q;
      negative = !detail::add_back(n + k, y.word, L, 0);")
assay_kernel_mutant(L13 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "bit_length(n, L) != 0" REPLACE "false")
assay_kernel_mutant(L14 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "detail::digit(top / y.word[L - 1])" REPLACE "static_cast<std::uint32_t>(top / y.word[L - 1])")
assay_kernel_mutant(L15 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "(std::int64_t{x.exponent} + (odd ? 1 : 0)) / 2" REPLACE "std::int64_t{x.exponent} / 2")
assay_kernel_mutant(L16 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "    d[1] |= q >> 31;
" REPLACE "")
assay_kernel_mutant(L17 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "add_back(rest, d, k + 2, std::uint64_t{q} + 1)" REPLACE "add_back(rest, d, k + 2, std::uint64_t{q})")
assay_kernel_mutant(L18 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "return detail::rounded_sum<L, 2 * L + 1>({product, 2 * L, exponent, minus}, detail::addend(z), to);" REPLACE "return limb::add(rounded_float<L>(product, 2 * L, exponent, minus, false, to), z, to);")
assay_kernel_mutant(L19 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "std::int64_t{x.exponent} - y.exponent + 32"
  REPLACE "static_cast<std::int32_t>(static_cast<std::uint32_t>(x.exponent) - static_cast<std::uint32_t>(y.exponent) + 32)")
assay_kernel_mutant(L20 ${limb_arithmetic} NAMESPACE assay::limb
  FIND "if (is_nan(z) || is_infinite(z)) return z;" REPLACE "if (is_nan(z)) return z;")
assay_kernel_mutant(L21 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "reads_y ? limb::fma(factor, term, z, Rounding::rn)" REPLACE "reads_y ? limb::add(limb::mul(factor, term, Rounding::rn), z, Rounding::rn)")
assay_kernel_mutant(L22 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "if (reads_y) z = y.load<L>(i);" REPLACE "")
assay_kernel_mutant(L23 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "limb::fma(factor, term, z, Rounding::rn)" REPLACE "limb::fma(factor, term, z, Rounding::rz)")
assay_kernel_mutant(L24 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "i < of.length; i +=" REPLACE "i < of.length - (of.length > 4 ? 1 : 0); i +=")
assay_kernel_mutant(L25 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "distance > 0; distance" REPLACE "distance > 1; distance")
assay_kernel_mutant(L26 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "x.load<L>(static_cast<std::size_t>(i))" REPLACE "x.load<L>(static_cast<std::size_t>(of.length - 1 - i))")
assay_kernel_mutant(L27 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "columns ? lda : 1, columns ? 1 : lda" REPLACE "columns ? m : 1, columns ? 1 : lda")
assay_kernel_mutant(L28 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "of.rows_first ? of.rows_of_block : 1" REPLACE "1")
assay_kernel_mutant(L29 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "if (scales_y && reads_y) z" REPLACE "if (false) z")
assay_kernel_mutant(L30 ${limb_sums} NAMESPACE assay::limb::detail
  FIND "lane_of(t) == 0 && row < of.rows" REPLACE "lane_of(t) == 0 && row + 1 < of.rows")

set(elementary arith/words/elementary.hpp)
assay_kernel_mutant(F1 ${elementary} NAMESPACE assay::elementary
  FIND "[](int i) { return reduction_constant(1, i); }"
  REPLACE "[](int i) { return i >= 2 ? 0 : reduction_constant(1, i); }")
assay_kernel_mutant(F2 ${elementary} NAMESPACE assay::elementary
  FIND "detail::sum_with<N>(-1.0, w)" REPLACE "limb::subtract(detail::sum_of<N>(w), detail::one<N>())")
assay_kernel_mutant(F3 ${elementary} NAMESPACE assay::elementary
  FIND "return quarter < 2 ? value" REPLACE "return quarter != 3 ? value")
assay_kernel_mutant(F4 ${elementary} NAMESPACE assay::elementary
  FIND "abs(w.w[0]) > 400" REPLACE "abs(w.w[0]) > 40")
assay_kernel_mutant(F5 ${elementary} NAMESPACE assay::elementary
  FIND "if (e.k == 0) return e.rest;" REPLACE "if (e.k == 0) return limb::subtract(value_of(e), one<N>());")
assay_kernel_mutant(F6 ${elementary} NAMESPACE assay::elementary
  FIND "w.w[0] <= -0.5 ? detail::sum_with<N>(1.0, w) :" REPLACE "false ? detail::sum_with<N>(1.0, w) :")
assay_kernel_mutant(F7 ${elementary} NAMESPACE assay::elementary
  FIND "if (left) angle" REPLACE "if (left && !limb::is_zero(a)) angle")
assay_kernel_mutant(F8 ${elementary} NAMESPACE assay::elementary
  FIND "limb::multiply(log, detail::sum_of<N>(w))" REPLACE "limb::multiply(log, limb::scaled_of<N>(w.w[0]))")

# BLAS in one, two and four words: the source file of the calls is copied, too.
set(vectors kernels/expansion/detail/vector_kernels.hpp)
set(vector_calls NAMESPACE assay::expansion USERS kernels/expansion/detail/vector_operands.hpp kernels/expansion/vectors.cpp)
assay_kernel_mutant(X1 ${vectors} ${vector_calls} FIND "leading = leading == 0 ? a.x[i] : leading" REPLACE "leading = a.x[0]")
assay_kernel_mutant(X3 ${vectors} ${vector_calls} FIND "add_as_right(Entry<W>::load(to))" REPLACE "add_as_right({{to[0]}})")
assay_kernel_mutant(X4 ${vectors} ${vector_calls} FIND "sum.add(alpha, x(k));" REPLACE "sum.add({{alpha.x[0]}}, x(k));")
set(lane_sums kernels/expansion/detail/lane_sums.hpp)
set(lane_calls NAMESPACE assay::expansion
  USERS kernels/expansion/detail/vector_kernels.hpp kernels/expansion/detail/vector_operands.hpp kernels/expansion/vectors.cpp)
assay_kernel_mutant(X2 ${lane_sums} ${lane_calls} FIND "d = rows / 2" REPLACE "d = rows / 4")
assay_kernel_mutant(X16 ${lane_sums} ${lane_calls} FIND "width : threads) / 2" REPLACE "width : threads) / 4")
assay_kernel_mutant(X17 ${lane_sums} ${lane_calls} FIND "for (; i < n; i += step) {" REPLACE "if (false) {")
set(norm kernels/expansion/detail/norm_kernels.hpp)
set(norm_calls NAMESPACE assay::expansion USERS kernels/expansion/norm.cpp)
assay_kernel_mutant(X13 ${norm} ${norm_calls} FIND "bits::significand(largest).e + 52" REPLACE "0")
assay_kernel_mutant(X14 ${norm} ${norm_calls}
  FIND "twice.add_as_right(Value{{digit}});"
  REPLACE "twice.add_as_right(Value{{root.x[0] == 0 ? digit : 0.0}});")
assay_kernel_mutant(X18 ${norm} ${norm_calls} FIND "high < field(480) &&" REPLACE "")
assay_kernel_mutant(X19 ${norm} ${norm_calls} FIND "low >= field(-484) &&" REPLACE "")
assay_kernel_mutant(X15 ${norm} ${norm_calls} FIND "W == 1 ? 2 : W + 1" REPLACE "W == 1 ? 1 : W - 1")
set(matrices kernels/expansion/detail/matrix_kernels.hpp)
set(matrix_calls NAMESPACE assay::expansion USERS kernels/expansion/matrices.cpp)
assay_kernel_mutant(X5 ${matrices} ${matrix_calls} FIND "if (reads_c) sum" REPLACE "sum")
assay_kernel_mutant(X6 ${matrices} ${matrix_calls}
  FIND "(update.written == Part::lower && i < j)" REPLACE "false")
assay_kernel_mutant(X7 ${matrices} ${matrix_calls} FIND "d > 0" REPLACE "d > 1")
assay_kernel_mutant(X8 ${matrices} ${matrix_calls} FIND "mirrored != (side == 1)" REPLACE "mirrored")
assay_kernel_mutant(X20 ${matrices} ${matrix_calls} FIND "if (q < size) sum" REPLACE "sum")
assay_kernel_mutant(X21 ${matrices} ${matrix_calls} FIND "tile / row_tiles * columns" REPLACE "tile / row_tiles * (columns - 1)")
set(triangles kernels/expansion/detail/triangular_kernels.hpp)
set(triangular_calls NAMESPACE assay::expansion USERS kernels/expansion/triangular.cpp)
assay_kernel_mutant(X9 ${triangles} ${triangular_calls} FIND "W == 1 ? 2 : W + 1" REPLACE "W == 1 ? 1 : W - 1")
assay_kernel_mutant(X10 ${triangles} ${triangular_calls} FIND "if (other < end)" REPLACE "if (other + 1 < end)")
assay_kernel_mutant(X11 ${triangles} ${triangular_calls} FIND "if (unit) {" REPLACE "if (false) {")
assay_kernel_mutant(X12 ${triangles} ${triangular_calls}
  FIND "sum(s, system).add(expansion::negate(entry(s, t)), Entry<W>::load(unknown(t, system)))"
  REPLACE "sum(s, system).add({{-entry(s, t).x[0]}}, Entry<W>::load(unknown(t, system)))")

# Triangular systems with exact sums.
set(substitution kernels/triangular/detail/substitution.hpp)
set(substitution_calls NAMESPACE assay::triangular USERS kernels/triangular/rounded_trsv.cpp)
assay_kernel_mutant(Y1 ${substitution} ${substitution_calls}
  FIND "sum.quotient(by.d, by.reciprocal, to())"
  REPLACE "CertifiedNumber{sum.rounded(to()).x / by.d, sum.rounded(to()).certified}")
assay_kernel_mutant(Y2 ${substitution} ${substitution_calls} FIND "bounds ? abs(l(s, t)) : -l(s, t)" REPLACE "-l(s, t)")
assay_kernel_mutant(Y3 ${substitution} ${substitution_calls} FIND "w < count; ++w) {
      for" REPLACE "w < 1; ++w) {
      for")
assay_kernel_mutant(Y4 ${substitution} ${substitution_calls} FIND "    x.add(z);
" REPLACE "")
assay_kernel_mutant(Y5 ${substitution} ${substitution_calls} FIND "if (thread == 0) front.add" REPLACE "front.add")
assay_kernel_mutant(Y6 ${substitution} ${substitution_calls}
  FIND "l.unit ? sum.rounded(to()) : sum.quotient(by.d, by.reciprocal, to())"
  REPLACE "l.unit ? CertifiedSum{sum.s, sum.c, sum.d, sum.rest * 0x1p-8}.rounded(to())
                  : CertifiedSum{sum.s, sum.c, sum.d, sum.rest * 0x1p-8}.quotient(by.d, by.reciprocal, to())")
assay_kernel_mutant(Y7 ${substitution} ${substitution_calls}
  FIND "rounded_quotient(sum, divisor(s), to())" REPLACE "sum.round(to()) / divisor(s)")

# Vectors and matrices of multiple-precision numbers.
set(rank_one kernels/mp/detail/rank_one.hpp)
assay_kernel_mutant(M1 ${rank_one} NAMESPACE assay::mp FIND "i <= j : i >= j" REPLACE "i <= j : i > j")
assay_kernel_mutant(M2 ${rank_one} NAMESPACE assay::mp FIND "if (!is_in(part, i, j)) return;" REPLACE "")
assay_kernel_mutant(M3 ${rank_one} NAMESPACE assay::mp FIND "i + j * lda" REPLACE "i + j * m")
assay_kernel_mutant(M4 ${rank_one} NAMESPACE assay::mp
  FIND "x.load(x_at(i))" REPLACE "x.load(static_cast<std::size_t>(i))")
set(rotation kernels/mp/detail/rotation.hpp)
assay_kernel_mutant(M5 ${rotation} NAMESPACE assay::mp
  FIND "mp::mul(cosine, v), mp::mul(sine, u)" REPLACE "mp::mul(cosine, v), mp::mul(sine, x.load(x_at(k)))")
assay_kernel_mutant(M6 ${rotation} NAMESPACE assay::mp FIND "mp::sub(" REPLACE "mp::add(")
assay_kernel_mutant(M7 ${rotation} NAMESPACE assay::mp FIND "y.load(y_at(k))" REPLACE "y.load(i)")
set(sums kernels/mp/detail/sums.hpp)
assay_kernel_mutant(M8 ${sums} NAMESPACE assay::mp FIND "std::int64_t{1} << 29" REPLACE "std::int64_t{64}")
assay_kernel_mutant(M9 ${sums} NAMESPACE assay::mp FIND "d > 0" REPLACE "d > 1")
assay_kernel_mutant(M10 ${sums} NAMESPACE assay::mp FIND "scaled_sqrt(x.load(i), shift)" REPLACE "scaled_sqrt(x.load(i), 0)")
set(root arith/residues/mp_square_root.hpp)
assay_kernel_mutant(M11 ${root} NAMESPACE assay::mp
  FIND "(std::int64_t{x.exponent} - odd) / 2" REPLACE "std::int64_t{x.exponent} / 2")
assay_kernel_mutant(M12 ${root} NAMESPACE assay::mp
  FIND "(significand_bits<Set> + 31) / 32" REPLACE "significand_bits<Set> / 32")
set(mirror kernels/mp/detail/mirror.hpp)
assay_kernel_mutant(M13 ${mirror} NAMESPACE assay::mp
  FIND "std::min(i, j) : std::max(i, j)" REPLACE "std::min(i, j) : i")
assay_kernel_mutant(M14 ${mirror} NAMESPACE assay::mp FIND "(i + j - row) * lda" REPLACE "(i + j - row) * std::min(n, lda)")
assay_kernel_mutant(M15 ${mirror} NAMESPACE assay::mp FIND "r * a.length + from" REPLACE "r * full.length + from")
set(number arith/residues/mp_number.hpp)
set(leaves "if (exponent > exponent_limit || exponent < -exponent_limit) return out_of_range<Set>();")
assay_kernel_mutant(M16 ${number} NAMESPACE assay::mp
  FIND "${leaves}" REPLACE "if (exponent > exponent_limit) return out_of_range<Set>();")
assay_kernel_mutant(M17 ${number} NAMESPACE assay::mp FIND "std::int32_t{1} << 30" REPLACE "std::int32_t{1} << 29")
assay_kernel_mutant(M18 ${number} NAMESPACE assay::mp FIND "${leaves}"
  REPLACE "if (exponent > exponent_limit) exponent = exponent_limit;
  if (exponent < -exponent_limit) exponent = -exponent_limit;")

# Sparse products that are rounded once.
set(spmv_block kernels/sparse/detail/spmv_block.hpp)
set(spmv kernels/sparse/spmv.cpp)
set(spmv_calls NAMESPACE assay::sparse USERS ${spmv})
assay_kernel_mutant(C1 ${spmv_block} ${spmv_calls}
  FIND "const std::int64_t number = k + std::int64_t{j} * lanes" REPLACE "const std::int64_t number = j == 0 ? k : places.count")
assay_kernel_mutant(C2 ${spmv_block} ${spmv_calls}
  FIND "own.add_product(value[j], factor[j])" REPLACE "own.add(value[j] * factor[j])")
assay_kernel_mutant(C3 ${spmv_block} ${spmv_calls} FIND "sum.rounded(to)" REPLACE "sum.rounded(Rounding::rn)")
assay_kernel_mutant(C4 ${spmv_block} ${spmv_calls}
  FIND "atomic::fetch_or(&shared.flags[slot], exact.flags)"
  REPLACE "atomic::fetch_or(&shared.flags[slot], exact.flags & ~std::uint32_t{accumulators::saw_minus_infinity})")
assay_kernel_mutant(C5 ${spmv_block} ${spmv_calls}
  FIND "if (column != no_column) front.add_product(a.values[at], x[column], exact)"
  REPLACE "front.add_product(a.values[at], column != no_column ? x[column] : 0.0, exact)")
assay_kernel_mutant(C6 ${spmv_block} ${spmv_calls}
  FIND "places.first + number * places.step"
  REPLACE "(Matrix::row_by_row ? places.first : places.first * places.count) + number")
assay_kernel_mutant(C7 ${spmv_block} ${spmv_calls}
  FIND "if (column[j] != no_column) own" REPLACE "if (column[j] != no_column && value[j] != 0) own")
assay_kernel_mutant(C22 ${spmv_block} ${spmv_calls}
  FIND "sum.rounded(to)" REPLACE "CertifiedSum{sum.s, sum.c, sum.d, sum.rest * 0x1p-10}.rounded(to)")
assay_kernel_mutant(C23 ${spmv_block} ${spmv_calls}
  FIND "fold_groups(sums, lanes," REPLACE "fold_groups(sums, lanes / 2,")
assay_kernel_mutant(C24 ${spmv_block} ${spmv_calls}
  FIND "!has_entry(places_of(a, first + row))" REPLACE "false")
assay_kernel_mutant(C25 ${spmv_block} ${spmv_calls}
  FIND "begin += exact_rows) {" REPLACE "begin += exact_rows + 1) {")
set(sparse_arguments kernels/sparse/arguments.hpp)
assay_kernel_mutant(C8 ${sparse_arguments} ${spmv_calls} FIND "each < columns" REPLACE "each <= columns")
assay_kernel_mutant(C9 ${sparse_arguments} ${spmv_calls}
  FIND "std::cmp_equal(x / size, a.columns)" REPLACE "std::cmp_greater_equal(x / size, a.columns)")

# Sparse products in residues.
set(mp_spmv_sums kernels/gemv/detail/mp_spmv_sums.hpp)
set(mp_spmv_product kernels/gemv/detail/mp_spmv_product.hpp)
set(mp_spmv_calls NAMESPACE assay::gemv USERS ${mp_spmv_product})
assay_kernel_mutant(C16 ${mp_spmv_sums} ${mp_spmv_calls}
  FIND "(a.values.words[at] ^ x.words[column]) & 1" REPLACE "a.values.words[at] & 1")
assay_kernel_mutant(C17 ${mp_spmv_sums} ${mp_spmv_calls} FIND "if (e < base && " REPLACE "if (e + 1 < base && ")
assay_kernel_mutant(C18 ${mp_spmv_sums} ${mp_spmv_calls}
  FIND "i < tables.n ? summands_at_once : guard_summands_at_once" REPLACE "summands_at_once")
assay_kernel_mutant(C19 ${mp_spmv_sums} ${mp_spmv_calls}
  FIND "return places.first + k * places.step;" REPLACE "return places.first + k;")
assay_kernel_mutant(C20 ${mp_spmv_sums} ${mp_spmv_calls}
  FIND "lane < lanes; ++lane) top" REPLACE "lane < lanes - 1; ++lane) top")
assay_kernel_mutant(C21 ${mp_spmv_product} NAMESPACE assay::gemv
  FIND " || is_out_of_range(x, column)" REPLACE " || (column % 2 == 0 && is_out_of_range(x, column))")

# Cholesky's factorization in limbs.
set(cholesky kernels/limb/cholesky.cpp)
assay_kernel_mutant(L31 ${cholesky} NAMESPACE assay::limb
  FIND "steps.copy(j, steps.entry(j, 0), lda, row)" REPLACE "steps.copy(j, steps.entry(j, 0), n, row)")
assay_kernel_mutant(L32 ${cholesky} NAMESPACE assay::limb
  FIND "steps.apply(LimbOp::sub, length, column, d)"
  REPLACE "steps.apply(LimbOp::sub, rest, from(column, 1), from(d, 1))")
assay_kernel_mutant(L33 ${cholesky} NAMESPACE assay::limb
  FIND "detail::is_regular(factor.lower, factor.failed * (lda + 1))"
  REPLACE "factor.lower.exponent[static_cast<std::size_t>(factor.failed * (lda + 1))] != nan_exponent")
assay_kernel_mutant(L34 ${cholesky} NAMESPACE assay::limb
  FIND "steps.add_multiple(n - j - 1, scalar.planes(), steps.entry(j + 1, j), from(x, j + 1))"
  REPLACE "if (j != 1) steps.add_multiple(n - j - 1, scalar.planes(), steps.entry(j + 1, j), from(x, j + 1))")

# Sparse products in words.
set(word_rows kernels/expansion/detail/spmv_kernels.hpp)
set(word_spmv_calls NAMESPACE assay::expansion USERS kernels/expansion/spmv.cpp)
assay_kernel_mutant(C10 ${word_rows} ${word_spmv_calls} FIND "d > 0" REPLACE "d > 1")
assay_kernel_mutant(C11 ${word_rows} ${word_spmv_calls}
  FIND "Entry<W>::load(x + column * W)" REPLACE "typename Entry<W>::Value{{x[column * W]}}")
assay_kernel_mutant(C12 ${word_rows} ${word_spmv_calls}
  FIND "if (column >= 0) sum.add(Entry<W>::load(a.values + at * W), Entry<W>::load(x + column * W))"
  REPLACE "sum.add(Entry<W>::load(a.values + at * W), Entry<W>::load(x + (column < 0 ? 0 : column) * W))")

# LU factorization in limbs.
set(lu kernels/limb/lu.cpp)
assay_kernel_mutant(L35 ${lu} NAMESPACE assay::limb FIND "if (is_less(best, i)) best = i" REPLACE "if (i < 0) best = i")
assay_kernel_mutant(L36 ${lu} NAMESPACE assay::limb
  FIND "queue_indices(on, size, ExchangeBody{limbs, a, own,"
  REPLACE "queue_indices(on, size - static_cast<std::size_t>(k), ExchangeBody{limbs, steps.entry(0, k), own,")
assay_kernel_mutant(L37 ${lu} NAMESPACE assay::limb
  FIND "return word(k, i) < word(k, j);" REPLACE "return k < 0;")
assay_kernel_mutant(L38 ${lu} NAMESPACE assay::limb
  FIND "queue_indices(on, 1, ExchangeBody{lu.limbs, x, static_cast<std::int32_t>(k), rows.data() + k, {}});" REPLACE "")

# Conjugate gradients.
set(cg kernels/sparse/conjugate_gradients.cpp)
assay_kernel_mutant(C13 ${cg} NAMESPACE assay::sparse
  FIND "      iteration.take_residual();
      rho = iteration.residual_squared();
      if (rho <= aim) break;" REPLACE "      break;")
assay_kernel_mutant(C14 ${cg} NAMESPACE assay::sparse FIND "!(product > 0)" REPLACE "product == 0")
assay_kernel_mutant(C15 ${cg} NAMESPACE assay::sparse FIND "tolerance * (tolerance * rho)" REPLACE "tolerance * rho")

assay_kernel_mutant(M19 oracle/mpfr_value.cpp NAMESPACE assay::oracle FIND "MPFR_RNDZ" REPLACE "MPFR_RNDN")

set(lines kernels/gemv/detail/mp_gemm_lines.hpp)
set(entries kernels/gemv/detail/mp_gemm_entries.hpp)
set(engine kernels/gemv/detail/mp_gemm_engine.hpp)
assay_kernel_mutant(M22 ${engine} NAMESPACE assay::gemm::detail FIND ".spare - log_terms" REPLACE ".spare - log_terms + 8")
assay_kernel_mutant(M23 ${lines} NAMESPACE assay::gemm::detail USERS ${entries} ${engine}
  FIND "rns::sub_mod(sum, rns::mul_mod(turns, tables.product[e], m, mu), m)" REPLACE "sum + 0 * turns")
assay_kernel_mutant(M24 ${lines} NAMESPACE assay::gemm::detail USERS ${entries} ${engine}
  FIND "second ? slices - 1 - p : p" REPLACE "p")
assay_kernel_mutant(M25 ${engine} NAMESPACE assay::gemm::detail
  FIND "if (row != nullptr && row[e].apart >= window) return;" REPLACE "")
assay_kernel_mutant(M26 ${entries} NAMESPACE assay::gemm::detail USERS ${engine}
  FIND "k == 0 && lowest_bit(limbs, is) < -bits" REPLACE "false")
assay_kernel_mutant(M27 ${entries} NAMESPACE assay::gemm::detail USERS ${engine}
  FIND "const bool up = cut > 0" REPLACE "const bool up = cut < 0")
assay_kernel_mutant(M28 ${engine} NAMESPACE assay::gemm::detail FIND "panel.column += column;" REPLACE "")
assay_kernel_mutant(M29 ${lines} NAMESPACE assay::gemm::detail USERS ${entries} ${engine}
  FIND "e - known[line].base" REPLACE "e - known[first_line].base")
