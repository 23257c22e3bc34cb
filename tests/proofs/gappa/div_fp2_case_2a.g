# dw.div_fp2.2, case 2, |dh + dl| <= 2 u: xh > y, and dh is 0, 2 u or -2 u. s stands for dh + dl.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
# The error of z y is at most 3 u^2 y, and 3 u^2 x is at least 3 u^2 (y + u).
@rnd = float<53,-3000,ne>;
y = rnd(y_);
dl = rnd(a);
s = dh + dl;
d = rnd(s);
tl = rnd(d / y);

{ y in [0x1.0000000000001p0, 0x1.fffffffffffffp0] /\ |a| <= 1b-52 /\ |s| <= 1b-52
-> |(tl * y - (dh + a)) / y| <= 3b-106 }

(tl * y - (dh + a)) / y -> (tl - d / y) + ((d - s) + (dl - a)) / y { y <> 0 };
