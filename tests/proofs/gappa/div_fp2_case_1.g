# dw.div_fp2.2, case 1: xh = y, so th = 1, dh = pl = 0 and d = xl.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
# The error of z y is less than u^2, and 3 u^2 x is at least 3 u^2 (1 - u/2).
@rnd = float<53,-3000,ne>;
y = rnd(y_);
d = rnd(xl_);
tl = rnd(d / y);

{ y in [0x1.0000000000001p0, 0x1.fffffffffffffp0] /\ |d| <= 1b-53
-> |tl * y - d| <= 1b-106 }

tl * y - d -> (tl - d / y) * y { y <> 0 };
