# dw.div_fp2.2, case 3, th y < 1: xh = 1 and 1 - u <= th y. ph is 1 - u or 1, and |pl| <= u/2.
# p = 53 and u = 2^-53. Exponents are so small that nothing is subnormal.
# ph is a multiple of u, so 1 - ph is 0 or u.
@rnd = float<53,-3000,ne>;
ph = rnd(thy);

{ thy in [0x1.fffffffffffffp-1, 1]
-> 1 - ph in [0, 1b-53] /\ @FIX(ph, -53) /\ |thy - ph| <= 1b-54 }
