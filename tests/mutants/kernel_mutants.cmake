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

set(segment_kernels kernels/segment/detail/segment_kernels.hpp)
set(segment_call kernels/segment/detail/segment_call.hpp)
assay_kernel_mutant(G1 ${segment_kernels} NAMESPACE assay::segment::detail USERS ${segment_call}
  FIND "window->bits() + joined_bits;" REPLACE "window->bits();")
assay_kernel_mutant(G2 ${segment_kernels} NAMESPACE assay::segment::detail USERS ${segment_call}
  FIND "(window->bits() + joined_bits + 31) / 32" REPLACE "(window->bits() + 32) / 32")
assay_kernel_mutant(G3 ${segment_kernels} NAMESPACE assay::segment::detail USERS ${segment_call}
  FIND "if (t % group != 0 && " REPLACE "if (t != 0 && ")
assay_kernel_mutant(G4 ${segment_kernels} NAMESPACE assay::segment::detail USERS ${segment_call}
  FIND "|| window.minus_zeros != 0" REPLACE "")
assay_kernel_mutant(G5 ${segment_call} NAMESPACE assay::segment::detail
  FIND "sum::queue_measure(on, y, m, true, window);" REPLACE "")
assay_kernel_mutant(G6 ${segment_kernels} NAMESPACE assay::segment::detail USERS ${segment_call}
  FIND "target < 0 || target >= turn.m" REPLACE "target < 0 || target > turn.m")
assay_kernel_mutant(G7 ${segment_kernels} NAMESPACE assay::segment::detail USERS ${segment_call}
  FIND "low + step < m && offset[low + step] <= j;" REPLACE "low + step < m && offset[low + step] < j;")
set(fixed_sum arith/accumulators/fixed_sum.hpp)
assay_kernel_mutant(G8 ${fixed_sum} NAMESPACE assay FIND "below | second << shift" REPLACE "second << shift")
assay_kernel_mutant(G9 ${fixed_sum} NAMESPACE assay FIND " | (word[k] < carry ? 1 : 0)" REPLACE "")

set(digit_window arith/accumulators/digit_window.hpp)
assay_kernel_mutant(K1 ${digit_window} NAMESPACE assay FIND " | ((sum.low & 0xFFF) != 0 ? 1 : 0)" REPLACE "")
assay_kernel_mutant(K2 ${digit_window} NAMESPACE assay FIND "abs(x) < limit && " REPLACE "")
assay_kernel_mutant(K3 ${digit_window} NAMESPACE assay FIND " && l - low_base == rest" REPLACE "")
set(tile_scan kernels/scan/detail/tile_scan.hpp)
set(wide_scan kernels/scan/detail/wide_scan.hpp)
set(scan_call kernels/scan/detail/scan_call.hpp)
assay_kernel_mutant(K4 ${tile_scan} NAMESPACE assay::scan::detail USERS ${scan_call}
  FIND "t == last ? up_to[before] : own[before]" REPLACE "own[before]")
assay_kernel_mutant(K5 ${tile_scan} NAMESPACE assay::scan::detail USERS ${scan_call}
  FIND " && to_bits(x[0]) != bits::sign_bit<double>" REPLACE "")
assay_kernel_mutant(K6 ${tile_scan} NAMESPACE assay::scan::detail USERS ${scan_call}
  FIND "shared.fails != 0 || " REPLACE "")
assay_kernel_mutant(K7 ${wide_scan} NAMESPACE assay::scan::detail USERS ${scan_call}
  FIND "parts[t] = before;
        before.add(own);" REPLACE "before.add(own);
        parts[t] = before;")
assay_kernel_mutant(K8 ${wide_scan} NAMESPACE assay::scan::detail USERS ${scan_call}
  FIND "flags |= other.flags;" REPLACE "")

set(certificate kernels/refine/detail/certificate.hpp)
set(solve_call kernels/refine/detail/solve_call.hpp)
function(assay_certificate_mutant id find replace)
  assay_kernel_mutant(${id} ${certificate} NAMESPACE assay::refine::detail USERS ${solve_call}
    FIND "${find}" REPLACE "${replace}")
endfunction()
set(product "add_ru(sum, mul_ru(magnitude[i + j * n], residual[j]))")
assay_certificate_mutant(X1 "${product}" "add_ru(sum, i == j ? residual[j] : 0.0)")
assay_certificate_mutant(X2 "${product}" "sum + magnitude[i + j * n] * residual[j]")
assay_certificate_mutant(X3 "front.add_product(-a[i * n + j], words[w * n + j], exact)"
  "front.add_product(-a[i * n + j], w == 0 ? words[j] : 0.0, exact)")
assay_certificate_mutant(X4 "lies_between_neighbors(exact, z, nearest)" "is_finite(z)")
assay_certificate_mutant(X5 "next_up(abs(rounded[i + j * n]))" "abs(rounded[i + j * n])")
assay_certificate_mutant(X6 "${product}" "add_ru(sum, mul_ru(magnitude[j + i * n], residual[j]))")
assay_certificate_mutant(X7 "lies_between_neighbors(exact, z, nearest)" "is_below(exact, z, next_up(nearest))")
assay_certificate_mutant(X8 "mul_ru(defect[i], spread)" "0.0")
assay_certificate_mutant(X9 "up < down ? down : up" "up < down ? up : down")
assay_certificate_mutant(X10 "add_ru(magnitude_above(exact), z)" "z")
assay_kernel_mutant(X11 ${solve_call} NAMESPACE assay::refine::detail
  FIND "!(inverse.alpha() <= Inverse::enough)" REPLACE "false")

set(limb_rounding arith/limbs/float_rounding.hpp)
set(limb_arithmetic arith/limbs/float_arithmetic.hpp)
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

set(elements arith/quantize/elements.hpp)
set(scales arith/quantize/scales.hpp)
set(chunks kernels/quantize/detail/chunks.hpp)
set(blocks kernels/quantize/detail/blocks.hpp)
set(types kernels/quantize/detail/types.hpp)
set(queue kernels/quantize/detail/queue.hpp)
# assay_quantizer_mutant(<id> <header> <text> <text>): headers after this one are copied, too.
function(assay_quantizer_mutant id header find replace)
  set(users ${elements} ${scales} ${chunks} ${blocks} ${types} ${queue})
  list(FIND users ${header} place)
  math(EXPR place "${place} + 1")
  list(SUBLIST users ${place} -1 users)
  assay_kernel_mutant(${id} ${header} NAMESPACE assay::quantize USERS ${users} FIND "${find}" REPLACE "${replace}"
    INCLUDE arith/float/small_float.hpp)
endfunction()
assay_quantizer_mutant(Q1 ${elements} "nearest_even_sum(y[3])" "code(y[3], Direction::away)")
assay_quantizer_mutant(Q2 ${elements} "nearest_even_sum(y[3])" "nearest_even_sum(static_cast<float>(binary16(y[3])))")
assay_quantizer_mutant(Q3 ${elements} "(signs >> (8 - bits) & sign_bit * each)"
  "(signs >> (8 - bits) & sign_bit * each & ((codes & (sign_bit - 1) * each) + (sign_bit - 1) * each))")
assay_quantizer_mutant(Q4 ${scales} "k += fraction != 0 ? 1 : 0;" "k += 0;")
assay_quantizer_mutant(Q5 ${scales} "return {.is_open = true, .scale = 0xFF};" "return {};")
assay_quantizer_mutant(Q6 ${scales} "fraction > Element::largest_fraction" "fraction >= Element::largest_fraction")
assay_quantizer_mutant(Q7 ${scales} "return k > -127 ? k : -127;" "return k;")
assay_quantizer_mutant(Q8 ${scales} "    scale = 1 / plan.multiplier;" "    scale = amax / top;")
assay_quantizer_mutant(Q9 ${scales}
  "zero < Element::least ? Element::least : zero > Element::most ? Element::most : zero" "zero")
assay_quantizer_mutant(Q10 ${scales} "zero + (rule.direction == Direction::ties_up ? 0.5f : 0)"
  "zero + (rule.direction == Direction::ties_up ? 0.0f : 0)")
assay_quantizer_mutant(Q11 ${scales} "range.largest == first ? 0 : range.largest - first" "range.largest")
assay_quantizer_mutant(Q12 ${scales} "rest), x / divisor)" "rest), x * reciprocal)")
assay_quantizer_mutant(Q13 ${chunks} "two_level_plan(rule, range, tensor)"
  "two_level_plan(rule, range, (static_cast<void>(tensor), TensorScale::of(range)))")
assay_quantizer_mutant(Q14 ${blocks} "join_groups(range, lanes," "join_groups(range, 2 * lanes,")
assay_quantizer_mutant(Q15 ${blocks} "b.place < a.place ? b : a" "~b.place != 0 ? b : a")
assay_quantizer_mutant(Q16 ${blocks} "(words, rule.is_high_half_first, packed)" "(words, false, packed)")
assay_quantizer_mutant(Q17 ${blocks} "bits::ceil_div(shape.columns, static_cast<std::size_t>(size))"
  "shape.columns / static_cast<std::size_t>(size)")
assay_quantizer_mutant(Q18 ${chunks} "plan.is_inside = is_inside<E, scaling>(rule, plan, range);" "plan.is_inside = true;")
assay_quantizer_mutant(Q19 ${chunks} "for (float& z : y) z = smaller(z, static_cast<float>(E::most));" "static_cast<void>(y);")
assay_quantizer_mutant(Q20 ${chunks} "rule.direction == Direction::even && rule.keeps_sign_of_zero"
  "rule.direction == Direction::even")
assay_quantizer_mutant(Q21 ${elements} "places.of[i] < c ? 1 : 0" "places.of[i] <= c ? 1 : 0")
assay_quantizer_mutant(Q22 ${elements} "(y > cell.border ? 1 : 0)" "(y >= cell.border ? 1 : 0)")
assay_quantizer_mutant(Q23 ${chunks} "odd_first ? odd + (even << 4) : even + (odd << 4)" "even + (odd << 4)")
assay_quantizer_mutant(Q24 ${chunks} "odd_first ? 0x6420 : 0x7531" "odd_first ? 0x7531 : 0x6420")
