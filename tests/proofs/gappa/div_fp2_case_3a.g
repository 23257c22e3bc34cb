# dw.div_fp2.2, case 3, th y >= 1: xh < y and dh = 0, so d = dl.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
# The error of z y is below 3 u^2 (1 - u/2) = 54043195528445949 * 2^-160, which is at most 3 u^2 x.
@rnd = float<53,-3000,ne>;
xl = rnd(xl_);
y = rnd(y_);
a = xl - pl;
d = rnd(a);
tl = rnd(d / y);

{ y in [0x1.0000000000001p0, 0x1.fffffffffffffp0] /\ |xl| <= 1b-53 /\ |pl| <= 1b-53
-> |tl * y - a| <= 54043195528445949b-160 }

tl * y - a -> (tl - d / y) * y + (d - a) { y <> 0 };
