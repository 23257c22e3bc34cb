# dw.div_fp2.2, case 3, th y >= 1: dh = xh - ph is 0, and |pl| <= u.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
# xh and ph are multiples of 2 u, and |dh| < 2 u.
@rnd = float<53,-3000,ne>;
xh = rnd(xh_);
y = rnd(y_);
th = rnd(xh / y);
ph = rnd(th * y);

{ xh in [1, 0x1.fffffffffffffp0] /\ y in [0x1.0000000000001p0, 0x1.fffffffffffffp0] /\ xh / y in [0x1p-1, 1]
  /\ th * y in [1, 2]
-> xh - ph in [0, 0] /\ |th * y - ph| <= 1b-53 }

xh - ph -> (th * y - ph) - (th - xh / y) * y { y <> 0 };
