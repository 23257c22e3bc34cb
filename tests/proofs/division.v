(* dw.div_fp2.2 (docs/bounds/dw.md): the error of the quotient of a double word by a word, Algorithms 13 and 14 of Joldes,
   Muller and Popescu, is at most 3 u^2 |x/y|, and less unless x = 0. The precision is any p >= 3. Each operation
   resolves its ties as it likes. The exponent range is unbounded. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core Sterbenz Plus_error Mult_error.
From assay Require Import nearest division_cases.

Open Scope R_scope.

Section Division.

Context {p : Z} {Hp : Precision p}.

Let p_3 : (3 <= p)%Z := Hp.

Notation format := (generic_format radix2 (FLX_exp p)).
Notation u := (unit_roundoff p).
Notation nearest := (nearest_number p).
Notation rnd c := (round radix2 (FLX_exp p) (Znearest c)).

(** * The algorithms *)

Definition double_word (h l : R) := format h /\ format l /\ nearest (h + l) h.

Definition two_sum (a b s e : R) := exists a1 b1 da db,
  nearest (a + b) s /\ nearest (s - b) a1 /\ nearest (s - a1) b1 /\ nearest (a - a1) da /\ nearest (b - b1) db
  /\ nearest (da + db) e.

Definition fast_two_sum (a b s e : R) := exists z, nearest (a + b) s /\ nearest (s - a) z /\ nearest (b - z) e.

Definition two_prod (a b h l : R) := nearest (a * b) h /\ nearest (a * b - h) l.

(* Algorithm 13. *)
Definition div_fp1 (xh xl y zh zl : R) := exists th ph pl dh d1 d2 dl d tl,
  nearest (xh / y) th /\ two_prod th y ph pl /\ two_sum xh (- ph) dh d1 /\ nearest (xl - pl) d2
  /\ nearest (d1 + d2) dl /\ nearest (dh + dl) d /\ nearest (d / y) tl /\ fast_two_sum th tl zh zl.

(* Algorithm 14. *)
Definition div_fp2 (xh xl y zh zl : R) := exists th ph pl dh dl d tl,
  nearest (xh / y) th /\ two_prod th y ph pl /\ nearest (xh - ph) dh /\ nearest (xl - pl) dl
  /\ nearest (dh + dl) d /\ nearest (d / y) tl /\ fast_two_sum th tl zh zl.

(** * Steps that are exact *)

(* A nearest number is Flocq's rounding by some rule for ties. *)
Lemma nearest_is_rnd : forall t f, nearest t f -> exists c, f = rnd c t.
Proof.
intros t f N.
assert (V : Valid_exp (FLX_exp p)) by (apply FLX_exp_valid, p_gt_0).
set (b := fun _ : Z => true). set (b' := fun _ : Z => false).
assert (D := round_DN_pt radix2 (FLX_exp p) t). assert (U := round_UP_pt radix2 (FLX_exp p) t).
destruct (Req_dec f (rnd b t)) as [E | E]; [now exists b|].
destruct (Req_dec f (rnd b' t)) as [E' | E']; [now exists b'|].
exfalso.
assert (A : forall g, nearest t g -> g = round radix2 (FLX_exp p) Zfloor t \/ g = round radix2 (FLX_exp p) Zceil t).
{ intros g Ng. destruct (Rnd_N_pt_DN_or_UP _ _ _ Ng) as [H | H]; [left | right].
  - exact (Rnd_DN_pt_unique _ _ _ _ H D).
  - exact (Rnd_UP_pt_unique _ _ _ _ H U). }
assert (Nb := nearest_rnd b t). assert (Nb' := nearest_rnd b' t).
(* Both of Flocq's roundings are the other neighbour of t, and so the tie is not resolved by b and b'. *)
assert (S : Rabs (f - t) = Rabs (rnd b t - t)).
{ apply Rle_antisym; [apply (proj2 N), (nearest_format _ _ Nb) | apply (proj2 Nb), (nearest_format _ _ N)]. }
assert (D1 := proj1 (proj2 D)). assert (U1 := proj1 (proj2 U)).
assert (M : t - round radix2 (FLX_exp p) Zfloor t = round radix2 (FLX_exp p) Zceil t - t).
{ revert S. unfold Rabs. destruct (A f N) as [F | F], (A _ Nb) as [G | G]; try congruence; rewrite F, G;
    do 2 destruct Rcase_abs; lra. }
assert (Tb := round_N_middle radix2 (FLX_exp p) b t M).
assert (Tb' := round_N_middle radix2 (FLX_exp p) b' t M).
unfold b at 2 in Tb. unfold b' at 2 in Tb'.
destruct (A f N); congruence.
Qed.

Lemma two_sum_of_format : forall a b s e, format a -> format b -> format (a + b) -> two_sum a b s e -> s = a + b /\ e = 0.
Proof.
intros a b s e Fa Fb Fs (a1 & b1 & da & db & Ns & Na1 & Nb1 & Nda & Ndb & Ne).
assert (F0 : format 0) by now apply (format_int 0).
apply nearest_id in Ns; [|easy]. subst s. split; [easy|].
replace (a + b - b) with a in Na1 by ring. apply nearest_id in Na1; [|easy]. subst a1.
replace (a + b - a) with b in Nb1 by ring. apply nearest_id in Nb1; [|easy]. subst b1.
replace (a - a) with 0 in Nda by ring. apply nearest_id in Nda; [|easy]. subst da.
replace (b - b) with 0 in Ndb by ring. apply nearest_id in Ndb; [|easy]. subst db.
rewrite Rplus_0_l in Ne. now apply nearest_id in Ne.
Qed.

Lemma two_prod_exact : forall a b h l, format a -> format b -> two_prod a b h l -> l = a * b - h.
Proof.
intros a b h l Fa Fb [Nh Nl]. apply (nearest_id _ _ Nl).
destruct (nearest_is_rnd _ _ Nh) as [c ->].
replace (a * b - rnd c (a * b)) with (- (rnd c (a * b) - a * b)) by ring.
apply generic_format_opp, mult_error_FLX; try easy; typeclasses eauto.
Qed.

Lemma fast_two_sum_exact : forall a b s e, format a -> format b -> 2 * Rabs b <= a -> fast_two_sum a b s e -> s + e = a + b.
Proof.
intros a b s e Fa Fb H (z & Ns & Nz & Ne).
assert (H2 : - a <= 2 * b <= a) by (apply Rabs_le_inv; rewrite Rabs_mult, (Rabs_pos_eq 2); lra).
assert (F1 : format (a / 2)).
{ replace (a / 2) with (a * pow (-1)) by (rewrite pow_m1; lra). now apply mult_bpow_exact_FLX. }
assert (F2 : format (2 * a)).
{ replace (2 * a) with (a * pow 1) by (rewrite pow_1; ring). now apply mult_bpow_exact_FLX. }
assert (S1 : a / 2 <= s) by (apply (nearest_ge _ _ _ Ns); [easy | lra]).
assert (S2 : s <= 2 * a) by (apply (nearest_le _ _ _ Ns); [easy | lra]).
assert (Fz : format (s - a)).
{ apply sterbenz; try typeclasses eauto; try easy. exact (nearest_format _ _ Ns). }
apply nearest_id in Nz; [|easy].
subst z.
assert (Fe : format (b - (s - a))).
{ destruct (nearest_is_rnd _ _ Ns) as [c ->].
  replace (b - (rnd c (a + b) - a)) with (- (rnd c (a + b) - (a + b))) by ring.
  apply generic_format_opp, plus_error; try easy; typeclasses eauto. }
apply nearest_id in Ne; [|easy]. lra.
Qed.

(** * Scaling *)

Definition scale (s : R) := exists k, s = pow k \/ s = - pow k.

Lemma scale_neq_0 : forall s, scale s -> s <> 0.
Proof. intros s [k [-> | ->]]; generalize (bpow_gt_0 radix2 k); lra. Qed.

Lemma scale_inv : forall s, scale s -> scale (/ s).
Proof.
intros s [k H]. exists (- k)%Z. rewrite bpow_opp. generalize (bpow_gt_0 radix2 k). intros H0.
destruct H as [-> | ->]; [now left | right]. field. lra.
Qed.

Lemma scale_mult : forall s t, scale s -> scale t -> scale (s * t).
Proof.
intros s t [k H] [m K]. exists (k + m)%Z. rewrite bpow_plus.
destruct H as [-> | ->], K as [-> | ->]; [left | right | right | left]; ring.
Qed.

Lemma format_scale : forall s t, scale s -> format t -> format (s * t).
Proof.
intros s t [k [-> | ->]] Ft.
- rewrite Rmult_comm. now apply mult_bpow_exact_FLX.
- replace (- pow k * t) with (- (t * pow k)) by ring. now apply generic_format_opp, mult_bpow_exact_FLX.
Qed.

Lemma nearest_scale : forall s t f t', scale s -> nearest t f -> t' = s * t -> nearest t' (s * f).
Proof.
intros s t f t' Hs N ->. assert (Zs := scale_neq_0 s Hs).
split; [now apply format_scale, (nearest_format t)|].
intros g Fg. rewrite <- Rmult_minus_distr_l.
replace (g - s * t) with (s * (/ s * g - t)) by (field; easy).
rewrite 2 Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos|].
apply (proj2 N). apply format_scale; [now apply scale_inv | easy].
Qed.

(* Every number but 0 is a scale times a number in [1, 2). *)
Lemma scale_to_1 : forall t, t <> 0 -> exists s, scale s /\ 1 <= s * t < 2.
Proof.
intros t Zt. destruct (mag radix2 t) as [e He]. specialize (He Zt).
assert (B : 1 <= pow (1 - e) * Rabs t < 2).
{ assert (E1 : pow (1 - e) * pow (e - 1) = 1).
  { rewrite <- bpow_plus. now replace (1 - e + (e - 1))%Z with 0%Z by ring. }
  assert (E2 : pow (1 - e) * pow e = 2).
  { rewrite <- bpow_plus. now replace (1 - e + e)%Z with 1%Z by ring. }
  generalize (bpow_gt_0 radix2 (1 - e)). intros H0. nra. }
destruct (Rle_or_lt 0 t) as [H | H].
- exists (pow (1 - e)). split; [exists (1 - e)%Z; now left|]. now rewrite Rabs_pos_eq in B.
- exists (- pow (1 - e)). split; [exists (1 - e)%Z; now right|]. rewrite Rabs_left in B by easy. lra.
Qed.

Lemma double_word_scale : forall s h l, scale s -> double_word h l -> double_word (s * h) (s * l).
Proof.
intros s h l Hs (Fh & Fl & N). split; [now apply format_scale|]. split; [now apply format_scale|].
apply (nearest_scale _ _ _ _ Hs N). ring.
Qed.

(* The quotient without its last step. *)
Definition quotient (xh xl y th ph dl d tl : R) :=
  nearest (xh / y) th /\ nearest (th * y) ph /\ nearest (xl - (th * y - ph)) dl /\ nearest (xh - ph + dl) d
  /\ nearest (d / y) tl.

Lemma quotient_scale : forall s t xh xl y th ph dl d tl, scale s -> scale t -> y <> 0 ->
  quotient xh xl y th ph dl d tl ->
  quotient (s * xh) (s * xl) (t * y) (s / t * th) (s * ph) (s * dl) (s * d) (s / t * tl).
Proof.
intros s t xh xl y th ph dl d tl Hs Ht Zy (Nth & Nph & Ndl & Nd & Ntl).
assert (Zt := scale_neq_0 t Ht).
assert (Hr : scale (s / t)) by (apply scale_mult; [|apply scale_inv]; easy).
split; [|split; [|split; [|split]]].
- apply (nearest_scale _ _ _ _ Hr Nth). now field.
- apply (nearest_scale _ _ _ _ Hs Nph). now field.
- apply (nearest_scale _ _ _ _ Hs Ndl). now field.
- apply (nearest_scale _ _ _ _ Hs Nd). ring.
- apply (nearest_scale _ _ _ _ Hr Ntl). now field.
Qed.

(** * The theorem *)

(* The three facts that the algorithms need: the error, the exactness of the difference xh - ph, and the sizes of the
   operands of the last FastTwoSum. *)
Lemma quotient_of_scaled : forall xh xl y th ph dl d tl, double_word xh xl -> format y -> 1 <= xh < 2 -> 1 <= y < 2 ->
  quotient xh xl y th ph dl d tl ->
  0 < xh + xl /\ Rabs ((th + tl) * y - (xh + xl)) < 3 * (u * u) * (xh + xl) /\ format (xh - ph) /\ 2 * Rabs tl <= th.
Proof.
intros xh xl y th ph dl d tl (Fxh & Fxl & Nx) Fy Hxh Hy (Nth & Nph & Ndl & Nd & Ntl).
assert (Hu := u_bounds (p := p)).
assert (F0 : format 0) by now apply (format_int 0).
assert (F2u : format (2 * u)) by now apply (format_u 2).
assert (Hx2 : xh + xl <= 2).
{ apply Rnot_lt_le. intros H. apply Rlt_le in H. apply (nearest_ge _ _ _ Nx) in H; [lra | now apply (format_int 2)]. }
assert (Hx0 : 0 <= xh + xl).
{ apply Rnot_lt_le. intros H. apply Rlt_le in H. apply (nearest_le _ _ _ Nx) in H; [lra | easy]. }
assert (Hxl : Rabs xl <= u).
{ rewrite <- Rabs_Ropp. replace (- xl) with (xh - (xh + xl)) by ring.
  apply (nearest_error_2 _ _ Nx). rewrite Rabs_pos_eq; lra. }
assert (Hl := Rabs_le_inv _ _ Hxl).
assert (Hxl_1 : xh = 1 -> - (u / 2) <= xl).
{ intros E. destruct (Rle_or_lt 0 xl) as [H | H]; [lra|].
  assert (B : Rabs (xh - (xh + xl)) <= u / 2) by (apply (nearest_error_1 _ _ Nx); rewrite Rabs_pos_eq; lra).
  apply Rabs_le_inv in B. lra. }
assert (Hth : 1 / 2 <= th).
{ apply (nearest_ge _ _ _ Nth).
  - replace (1 / 2) with (1 * pow (- 1)) by (rewrite pow_m1; lra). now apply (format_small 1).
  - apply Rmult_le_reg_r with y; [lra|]. replace (xh / y * y) with xh by (field; lra). lra. }
split; [lra|].
destruct (proj1 Hy) as [Hy1 | <-].
- destruct (scaled xh xl y Fxh Fxl Fy Hxh (conj Hy1 (proj2 Hy)) Hxl Hxl_1 th ph dl d tl Nth Nph Ndl Nd Ntl)
    as (He & Fdh & Hq).
  split; [|split; [easy|]].
  + revert He. apply Rle_lt_trans, Req_le. f_equal. field. lra.
  + assert (Rabs tl <= 2 * u) by (apply (nearest_abs_le _ _ _ Ntl); easy). lra.
- (* A quotient by 1 is exact. *)
  replace (xh / 1) with xh in Nth by field. apply nearest_id in Nth; [|easy]. subst th.
  rewrite Rmult_1_r in Nph. apply nearest_id in Nph; [|easy]. subst ph.
  replace (xl - (xh * 1 - xh)) with xl in Ndl by ring. apply nearest_id in Ndl; [|easy]. subst dl.
  replace (xh - xh + xl) with xl in Nd by ring. apply nearest_id in Nd; [|easy]. subst d.
  replace (xl / 1) with xl in Ntl by field. apply nearest_id in Ntl; [|easy]. subst tl.
  split; [|split].
  + replace ((xh + xl) * 1 - (xh + xl)) with 0 by ring. rewrite Rabs_R0.
    apply Rmult_lt_0_compat; [nra | lra].
  + now rewrite Rminus_diag_eq.
  + lra.
Qed.

Lemma quotient_facts : forall xh xl y th ph dl d tl, double_word xh xl -> format y -> xh <> 0 -> y <> 0 ->
  quotient xh xl y th ph dl d tl ->
  Rabs (th + tl - (xh + xl) / y) < 3 * (u * u) * Rabs ((xh + xl) / y) /\ format (xh - ph) /\ 2 * Rabs tl <= Rabs th.
Proof.
intros xh xl y th ph dl d tl Dx Fy Zx Zy Q.
destruct (scale_to_1 xh Zx) as [s [Hs Sx]]. destruct (scale_to_1 y Zy) as [t [Ht Ty]].
assert (Zs := scale_neq_0 s Hs). assert (Zt := scale_neq_0 t Ht).
destruct (quotient_of_scaled _ _ _ _ _ _ _ _ (double_word_scale s xh xl Hs Dx) (format_scale t y Ht Fy) Sx Ty
            (quotient_scale s t xh xl y th ph dl d tl Hs Ht Zy Q)) as (P & E & F & T).
split; [|split].
- replace (th + tl - (xh + xl) / y) with (((th + tl) * y - (xh + xl)) / y) by (field; easy).
  unfold Rdiv at 1 2. rewrite 2 Rabs_mult, <- Rmult_assoc.
  apply Rmult_lt_compat_r; [now apply Rabs_pos_lt, Rinv_neq_0_compat|].
  apply Rmult_lt_reg_l with (Rabs s); [now apply Rabs_pos_lt|].
  replace (Rabs s * (3 * (u * u) * Rabs (xh + xl))) with (3 * (u * u) * (Rabs s * Rabs (xh + xl))) by ring.
  rewrite <- 2 Rabs_mult, (Rabs_pos_eq (s * (xh + xl))) by lra.
  replace (s * ((th + tl) * y - (xh + xl))) with ((s / t * th + s / t * tl) * (t * y) - (s * xh + s * xl))
    by (field; easy).
  lra.
- replace (xh - ph) with (/ s * (s * xh - s * ph)) by (field; easy).
  apply format_scale; [now apply scale_inv | easy].
- apply Rmult_le_reg_l with (Rabs (s / t)).
  + apply Rabs_pos_lt. apply Rmult_integral_contrapositive_currified; [easy|]. now apply Rinv_neq_0_compat.
  + rewrite Rabs_mult in T. rewrite <- (Rabs_mult _ th). generalize (Rle_abs (s / t * th)). lra.
Qed.

Lemma fast_two_sum_of_quotient : forall a b s e, format a -> format b -> 2 * Rabs b <= Rabs a -> fast_two_sum a b s e ->
  s + e = a + b.
Proof.
intros a b s e Fa Fb H F. destruct (Rle_or_lt 0 a) as [Ha | Ha].
- apply fast_two_sum_exact; try easy. now rewrite (Rabs_pos_eq a) in H.
- rewrite (Rabs_left a) in H by easy. destruct F as (z & Ns & Nz & Ne).
  assert (S : scale (-1)) by (exists 0%Z; now right).
  assert (E : - s + - e = - a + - b); [|lra].
  apply fast_two_sum_exact; try (now apply generic_format_opp); [now rewrite Rabs_Ropp|].
  exists (- z). replace (- s) with (-1 * s) by ring. replace (- z) with (-1 * z) by ring.
  replace (- e) with (-1 * e) by ring.
  split; [|split]; [apply (nearest_scale _ _ _ _ S Ns) | apply (nearest_scale _ _ _ _ S Nz)
    | apply (nearest_scale _ _ _ _ S Ne)]; ring.
Qed.

(* A double word with a high word of 0 is 0, and its quotient is 0. *)
Lemma double_word_0 : forall l, double_word 0 l -> l = 0.
Proof. intros l (_ & Fl & N). rewrite Rplus_0_l in N. now apply nearest_id in N. Qed.

Lemma nearest_0 : forall t f, t = 0 -> nearest t f -> f = 0.
Proof. intros t f -> N. apply nearest_id in N; [easy|]. now apply (format_int 0). Qed.

(* The subtraction xh - ph is exact (dw.div_fp1.1). *)
Lemma dh_exact : forall xh xl y th ph, double_word xh xl -> format y -> y <> 0 -> nearest (xh / y) th ->
  nearest (th * y) ph -> format (xh - ph).
Proof.
intros xh xl y th ph Dx Fy Zy Nth Nph. destruct (Req_dec xh 0) as [-> | Zx].
- apply nearest_0 in Nth; [|unfold Rdiv; ring]. subst th. apply nearest_0 in Nph; [|ring]. subst ph.
  rewrite Rminus_0_r. now apply (format_int 0).
- set (c := fun _ : Z => true). set (dl := rnd c (xl - (th * y - ph))). set (d := rnd c (xh - ph + dl)).
  apply (quotient_facts xh xl y th ph dl d (rnd c (d / y))); try easy.
  split; [easy|]. split; [easy|]. repeat (split; [apply nearest_rnd|]). apply nearest_rnd.
Qed.

Theorem div_fp1_is_div_fp2 : forall xh xl y zh zl, double_word xh xl -> format y -> y <> 0 ->
  div_fp1 xh xl y zh zl -> div_fp2 xh xl y zh zl.
Proof.
intros xh xl y zh zl Dx Fy Zy (th & ph & pl & dh & d1 & d2 & dl & d & tl & Nth & P & S & N2 & Ndl & Nd & Ntl & Z).
assert (Fdh := dh_exact _ _ _ _ _ Dx Fy Zy Nth (proj1 P)).
destruct (two_sum_of_format _ _ _ _ (proj1 Dx) (generic_format_opp _ _ _ (nearest_format _ _ (proj1 P))) Fdh S)
  as [-> ->].
rewrite Rplus_0_l in Ndl. apply nearest_id in Ndl; [|exact (nearest_format _ _ N2)]. subst d2.
exists th, ph, pl, (xh - ph), dl, d, tl. repeat (split; [easy|]).
split; [now apply nearest_of_format|]. now repeat (split; [easy|]).
Qed.

Theorem div_fp2_error : forall xh xl y zh zl, double_word xh xl -> format y -> y <> 0 -> div_fp2 xh xl y zh zl ->
  Rabs (zh + zl - (xh + xl) / y) <= 3 * (u * u) * Rabs ((xh + xl) / y)
  /\ (xh + xl <> 0 -> Rabs (zh + zl - (xh + xl) / y) < 3 * (u * u) * Rabs ((xh + xl) / y)).
Proof.
intros xh xl y zh zl Dx Fy Zy (th & ph & pl & dh & dl & d & tl & Nth & P & Ndh & Ndl & Nd & Ntl & Z).
assert (Fth := nearest_format _ _ Nth).
assert (Epl := two_prod_exact _ _ _ _ Fth Fy P). subst pl.
apply nearest_id in Ndh; [|now apply (dh_exact xh xl y th ph); try easy; apply P]. subst dh.
destruct (Req_dec xh 0) as [-> | Zx].
- assert (El := double_word_0 xl Dx). subst xl.
  apply nearest_0 in Nth; [|unfold Rdiv; ring]. subst th.
  destruct P as [Nph _]. apply nearest_0 in Nph; [|ring]. subst ph.
  apply nearest_0 in Ndl; [|ring]. subst dl.
  apply nearest_0 in Nd; [|ring]. subst d.
  apply nearest_0 in Ntl; [|unfold Rdiv; ring]. subst tl.
  destruct Z as (z & Ns & Nz & Ne). apply nearest_0 in Ns; [|ring]. subst zh.
  apply nearest_0 in Nz; [|ring]. subst z. apply nearest_0 in Ne; [|ring]. subst zl.
  split; [|lra]. unfold Rdiv. rewrite Rplus_0_l, Rmult_0_l, Rminus_0_r, Rabs_R0. lra.
- destruct (quotient_facts xh xl y th ph dl d tl Dx Fy Zx Zy
              (conj Nth (conj (proj1 P) (conj Ndl (conj Nd Ntl))))) as (E & _ & T).
  assert (Ez : zh + zl = th + tl).
  { apply fast_two_sum_of_quotient; try easy. exact (nearest_format _ _ Ntl). }
  rewrite Ez. split; [now apply Rlt_le | easy].
Qed.

Theorem div_fp1_error : forall xh xl y zh zl, double_word xh xl -> format y -> y <> 0 -> div_fp1 xh xl y zh zl ->
  Rabs (zh + zl - (xh + xl) / y) <= 3 * (u * u) * Rabs ((xh + xl) / y)
  /\ (xh + xl <> 0 -> Rabs (zh + zl - (xh + xl) / y) < 3 * (u * u) * Rabs ((xh + xl) / y)).
Proof.
intros xh xl y zh zl Dx Fy Zy D. apply div_fp2_error; try easy. now apply div_fp1_is_div_fp2.
Qed.

(* Algorithm 14 as a function, with one rule for ties. *)
Definition algorithm_14 (c : Z -> bool) (xh xl y : R) : R * R :=
  let th := rnd c (xh / y) in
  let ph := rnd c (th * y) in
  let pl := rnd c (th * y - ph) in
  let dh := rnd c (xh - ph) in
  let dl := rnd c (xl - pl) in
  let d := rnd c (dh + dl) in
  let tl := rnd c (d / y) in
  let zh := rnd c (th + tl) in
  (zh, rnd c (tl - rnd c (zh - th))).

Theorem algorithm_14_error : forall c xh xl y, format xh -> format xl -> format y -> y <> 0 -> xh = rnd c (xh + xl) ->
  let (zh, zl) := algorithm_14 c xh xl y in
  Rabs (zh + zl - (xh + xl) / y) <= 3 * (u * u) * Rabs ((xh + xl) / y).
Proof.
intros c xh xl y Fxh Fxl Fy Zy E. apply div_fp2_error; try easy.
- split; [easy|]. split; [easy|]. rewrite E at 2. apply nearest_rnd.
- do 7 eexists. repeat (split; [apply nearest_rnd|]). split; [split; apply nearest_rnd|].
  repeat (split; [apply nearest_rnd|]). eexists. repeat (split; [apply nearest_rnd|]). apply nearest_rnd.
Qed.

End Division.

Print Assumptions div_fp1_is_div_fp2.
Print Assumptions div_fp1_error.
Print Assumptions div_fp2_error.
Print Assumptions algorithm_14_error.
