// Integers stored as residues, and multiple-precision numbers of residues, 8 and 32 moduli. n is the number of
// elements. The calls take arrays of the host: on a device their times include the copies to it and back.
#include <string>

#include "bench/curves/curve.hpp"
#include "kernels/mp/blas1.hpp"
#include "kernels/mp/blas2.hpp"
#include "kernels/mp/mp.hpp"
#include "kernels/rns/rns.hpp"

namespace assay::bench {
namespace {

using Words = std::vector<std::uint32_t>;

/// `count` integers below M.
Words integers(int moduli, std::size_t count) {
  const auto limbs = static_cast<std::size_t>(rns::rns_limbs(moduli));
  Numbers number;
  Words words(count * limbs);
  for (std::uint32_t& each : words) each = static_cast<std::uint32_t>(number.word());
  for (std::size_t i = limbs - 1; i < words.size(); i += limbs) words[i] = 0;
  return words;
}

void add_rns(std::vector<Curve>& curves, int moduli) {
  const auto add = [&](const std::string& name, auto kernel) {
    curves.push_back({"rns." + name + std::to_string(moduli), 1, [moduli](double n) { return 12.0 * moduli * n; },
                      [=](const Executor& on, std::size_t n) -> Call {
                        const Words x = rns::rns_from_limbs(on, moduli, integers(moduli, n));
                        return [=] { keep(kernel(on, x)); };
                      }});
  };
  add("add", [=](const Executor& on, const Words& x) { return rns::rns_op(on, rns::RnsOp::add, moduli, x, x); });
  add("mul", [=](const Executor& on, const Words& x) { return rns::rns_op(on, rns::RnsOp::mul, moduli, x, x); });
  add("evaluate", [=](const Executor& on, const Words& x) {
    return rns::rns_evaluate(on, rns::RnsEvaluation::general, moduli, x);
  });
  add("compare", [=](const Executor& on, const Words& x) { return rns::rns_compare(on, moduli, x, x); });
  add("sign", [=](const Executor& on, const Words& x) { return rns::rns_sign(on, moduli, x); });
  add("divide", [=](const Executor& on, const Words& x) { return rns::rns_divide(on, moduli, x, x); });
  add("to_limbs_crt", [=](const Executor& on, const Words& x) { return rns::rns_to_limbs_crt(on, moduli, x); });
  curves.push_back({"rns.from_limbs" + std::to_string(moduli), 1, [moduli](double n) { return 8.0 * moduli * n; },
                    [=](const Executor& on, std::size_t n) -> Call {
                      return [=, x = integers(moduli, n)] { keep(rns::rns_from_limbs(on, moduli, x)); };
                    }});
}

void add_mp(std::vector<Curve>& curves, int moduli) {
  const auto add = [&](const std::string& name, auto kernel) {
    const double width = 4.0 * moduli + 40;
    curves.push_back({"mp." + name + std::to_string(moduli), 1, [width](double n) { return 3 * width * n; },
                      [=](const Executor& on, std::size_t n) -> Call {
                        Numbers number;
                        return [=, one = mp::mp_from_double(on, moduli, number.many(1)),
                                x = mp::mp_from_double(on, moduli, number.many(n)),
                                y = mp::mp_from_double(on, moduli, number.many(n))] {
                          keep(kernel(on, static_cast<std::int64_t>(n), one, x, y));
                        };
                      }});
  };
  using mp::MpArray;
  const auto op = [](mp::MpOp which) {
    return [which](const Executor& on, std::int64_t, const MpArray&, const MpArray& x, const MpArray& y) {
      return mp::mp_op(on, which, x, y);
    };
  };
  add("add", op(mp::MpOp::add));
  add("mul", op(mp::MpOp::mul));
  add("sub", op(mp::MpOp::sub));
  add("asum", [](const Executor& on, std::int64_t n, const MpArray&, const MpArray& x, const MpArray&) {
    return mp::mp_asum(on, n, x, 1);
  });
  add("dot", [](const Executor& on, std::int64_t n, const MpArray&, const MpArray& x, const MpArray& y) {
    return mp::mp_dot(on, n, x, 1, y, 1);
  });
  add("axpy", [](const Executor& on, std::int64_t n, const MpArray& one, const MpArray& x, const MpArray& y) {
    return mp::mp_axpy(on, n, one, x, 1, y, 1);
  });
  add("scal", [](const Executor& on, std::int64_t n, const MpArray& alpha, const MpArray& x, const MpArray&) {
    return mp::mp_scal(on, n, alpha, x, 1);
  });
  add("waxpby", [](const Executor& on, std::int64_t n, const MpArray& alpha, const MpArray& x, const MpArray& y) {
    return mp::mp_waxpby(on, n, alpha, x, 1, alpha, y, 1, y, 1);
  });
  add("nrm2", [](const Executor& on, std::int64_t n, const MpArray&, const MpArray& x, const MpArray&) {
    return mp::mp_nrm2(on, n, x, 1);
  });
  add("norm_inf", [](const Executor& on, std::int64_t n, const MpArray&, const MpArray& x, const MpArray&) {
    return mp::mp_norm_inf(on, n, x, 1);
  });
  add("rot", [](const Executor& on, std::int64_t n, const MpArray& c, const MpArray& x, const MpArray& y) {
    return mp::mp_rot(on, n, x, 1, y, 1, c, c);
  });
}

/// Operations on n × n matrices.
void add_mp_matrices(std::vector<Curve>& curves, int moduli) {
  using mp::MpArray;
  const auto add = [&](const std::string& name, auto kernel) {
    const double width = 4.0 * moduli + 40;
    curves.push_back(
        {"mp." + name + std::to_string(moduli), 2, [width](double n) { return width * (2 * n * n + 2 * n); },
         [=](const Executor& on, std::size_t n) -> Call {
           Numbers number;
           const auto array = [&](std::size_t count) { return mp::mp_from_double(on, moduli, number.many(count)); };
           return [=, one = array(1), a = array(n * n), x = array(n), y = array(n)] {
             keep(kernel(on, static_cast<std::int64_t>(n), one, a, x, y));
           };
         }});
  };
  add("ger", [](const Executor& on, std::int64_t n, const MpArray& one, const MpArray& a, const MpArray& x,
                const MpArray& y) { return mp::mp_ger(on, n, n, one, x, 1, y, 1, a, n); });
  add("syr", [](const Executor& on, std::int64_t n, const MpArray& one, const MpArray& a, const MpArray& x,
                const MpArray&) { return mp::mp_syr(on, blas::Triangle::lower, n, one, x, 1, a, n); });
  add("symv", [](const Executor& on, std::int64_t n, const MpArray& one, const MpArray& a, const MpArray& x,
                 const MpArray& y) { return mp::mp_symv(on, blas::Triangle::lower, n, one, a, n, x, 1, one, y, 1); });
}

}  // namespace

void add_residues(std::vector<Curve>& curves) {
  for (const int moduli : {8, 32}) {
    add_rns(curves, moduli);
    add_mp(curves, moduli);
    add_mp_matrices(curves, moduli);
  }
}

}  // namespace assay::bench
