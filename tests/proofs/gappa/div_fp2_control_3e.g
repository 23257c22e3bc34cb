# dw.div_fp2.2, case 3, th y < 1, ph = 1 - u, a > 0 and xl < u/2: xh = 1 and dh = u.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
# Control: the errors sum to 11/4 u^2, so Gappa must refuse 5/2 u^2.
@rnd = float<53,-3000,ne>;
xl = rnd(xl_);
y = rnd(y_);
a = xl - pl;
dl = rnd(a);
s = 1b-53 + dl;
d = rnd(s);
tl = rnd(d / y);

{ y in [0x1.0000000000001p0, 0x1.fffffffffffffp0] /\ xl in [0, 1b-54] /\ pl in [0, 1b-54] /\ a in [0, 1b-54]
-> |tl * y - (1b-53 + a)| <= 5b-107 }

tl * y - (1b-53 + a) -> (tl - d / y) * y + (d - s) + (dl - a) { y <> 0 };
$ y in (1.5);
