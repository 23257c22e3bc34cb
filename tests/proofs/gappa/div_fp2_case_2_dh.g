# dw.div_fp2.2, case 2: xh > y. |dh| < 3 u for dh = xh - ph, dh is a multiple of 2 u, and |pl| <= u. So dh is 0 or 2 u or -2 u.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
@rnd = float<53,-3000,ne>;
xh = rnd(xh_);
y = rnd(y_);
th = rnd(xh / y);
ph = rnd(th * y);

{ xh in [1, 0x1.fffffffffffffp0] /\ y in [0x1.0000000000001p0, 0x1.fffffffffffffp0] /\ xh / y in [1, 2]
-> xh - ph in [-1b-52, 1b-52] /\ |th * y - ph| <= 1b-53 }

xh - ph -> (th * y - ph) - (th - xh / y) * y { y <> 0 };
th * y -> xh + (th - xh / y) * y { y <> 0 };
