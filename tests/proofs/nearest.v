(* Rounding to nearest in precision p, with any rule for ties and an unbounded exponent range: the facts that the proofs
   of docs/bounds/dw.md, sum.md and dot.md use. u = 2^-p. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core Relative.

Open Scope R_scope.

Class Precision (p : Z) := at_least_3 : (3 <= p)%Z.

Notation pow e := (bpow radix2 e).

Definition unit_roundoff (p : Z) := pow (- p).

(* f is a number of precision p that is nearest to t. Of two such numbers it may be either one. *)
Definition nearest_number (p : Z) (t f : R) := Rnd_N_pt (generic_format radix2 (FLX_exp p)) t f.

Section Nearest.

Context {p : Z} {Hp : Precision p}.

(* lia reads it in this form. *)
Let p_3 : (3 <= p)%Z := Hp.

Global Instance p_gt_0 : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

Notation format := (generic_format radix2 (FLX_exp p)).

Notation u := (unit_roundoff p).
Notation nearest := (nearest_number p).

Lemma u_bounds : 0 < u <= 1 / 8.
Proof.
split; [apply bpow_gt_0|].
apply Rle_trans with (pow (-3)).
- apply bpow_le; lia.
- simpl; lra.
Qed.

Lemma pow_minus : forall k, pow (k - p) = pow k * u.
Proof. intros k. unfold unit_roundoff. rewrite <- bpow_plus. f_equal. Qed.

Lemma pow_1 : pow 1 = 2. Proof. reflexivity. Qed.
Lemma pow_2 : pow 2 = 4. Proof. reflexivity. Qed.
Lemma pow_m1 : pow (-1) = 1 / 2. Proof. simpl; lra. Qed.

(** * Multiples of powers of two *)

Definition multiple (e : Z) (t : R) := exists m : Z, t = IZR m * pow e.

Lemma multiple_minus : forall e s t, multiple e s -> multiple e t -> multiple e (s - t).
Proof. intros e s t [m ->] [n ->]. exists (m - n)%Z. rewrite minus_IZR. ring. Qed.

Lemma multiple_mult : forall e f s t, multiple e s -> multiple f t -> multiple (e + f) (s * t).
Proof. intros e f s t [m ->] [n ->]. exists (m * n)%Z. rewrite mult_IZR, bpow_plus. ring. Qed.

Lemma multiple_below : forall e f t, (f <= e)%Z -> multiple e t -> multiple f t.
Proof.
intros e f t Hef [m ->]. exists (m * 2 ^ (e - f))%Z.
rewrite mult_IZR.
change (IZR (2 ^ (e - f))) with (IZR (Zpower radix2 (e - f))). rewrite IZR_Zpower by lia.
rewrite Rmult_assoc, <- bpow_plus. do 2 f_equal. lia.
Qed.

Lemma multiple_of_format : forall e t, format t -> pow e <= Rabs t -> multiple (e + 1 - p) t.
Proof.
intros e t Ft He.
apply multiple_below with (cexp radix2 (FLX_exp p) t).
- unfold cexp, FLX_exp. generalize (mag_gt_bpow radix2 t e He). lia.
- exists (Ztrunc (scaled_mantissa radix2 (FLX_exp p) t)). exact Ft.
Qed.

(* The lattice lemma: a multiple of 2^e that is at most 2^(e + p) is a number of precision p. *)
Lemma format_of_multiple : forall e t, multiple e t -> Rabs t <= pow (e + p) -> format t.
Proof.
intros e t [m Hm] Ht.
destruct Ht as [Ht | Ht].
- apply generic_format_FLX. exists (Float radix2 m e); simpl.
  + exact Hm.
  + apply lt_IZR. change (2 ^ p)%Z with (Zpower radix2 p). rewrite abs_IZR, IZR_Zpower by lia.
    apply Rmult_lt_reg_r with (pow e); [apply bpow_gt_0|].
    rewrite <- bpow_plus, Z.add_comm.
    rewrite <- (Rabs_pos_eq (pow e)) at 1 by apply bpow_ge_0.
    now rewrite <- Rabs_mult, <- Hm.
- assert (F : format (pow (e + p))) by (apply generic_format_bpow; unfold FLX_exp; lia).
  revert Ht. unfold Rabs. destruct (Rcase_abs t); intros Ht.
  + rewrite <- (Ropp_involutive t), Ht. now apply generic_format_opp.
  + now rewrite Ht.
Qed.

(* The form of it that makes e1 = 0: a multiple of u^2 below u is a number. *)
Lemma lattice : forall a, multiple (- p - p) a -> Rabs a < u -> format a.
Proof.
intros a Ha Hau. apply format_of_multiple with (1 := Ha).
replace (- p - p + p)%Z with (- p)%Z by lia. now apply Rlt_le.
Qed.

Lemma multiple_small : forall e t k, multiple e t -> Rabs t < IZR k * pow e ->
  exists m, t = IZR m * pow e /\ (- k < m < k)%Z.
Proof.
intros e t k [m ->] H. exists m. split; [easy|].
rewrite Rabs_mult, (Rabs_pos_eq (pow e)) in H by apply bpow_ge_0.
apply Rmult_lt_reg_r in H; [|apply bpow_gt_0].
rewrite <- abs_IZR in H. apply lt_IZR in H. lia.
Qed.

(** * Rounding to nearest, with any rule for ties *)

Lemma nearest_format : forall t f, nearest t f -> format f.
Proof. now intros t f [F _]. Qed.

Lemma nearest_of_format : forall t, format t -> nearest t t.
Proof. intros t Ft. split; [easy|]. intros g _. rewrite Rminus_diag_eq, Rabs_R0 by easy. apply Rabs_pos. Qed.

Lemma nearest_le : forall s f t, nearest s f -> format t -> s <= t -> f <= t.
Proof.
intros s f t [_ N] Ft H. apply Rnot_lt_le. intros Hn. specialize (N t Ft).
rewrite 2 Rabs_pos_eq in N by lra. lra.
Qed.

Lemma nearest_ge : forall s f t, nearest s f -> format t -> t <= s -> t <= f.
Proof.
intros s f t [_ N] Ft H. apply Rnot_lt_le. intros Hn. specialize (N t Ft).
rewrite 2 Rabs_left1 in N by lra. lra.
Qed.

Lemma nearest_id : forall t f, nearest t f -> format t -> f = t.
Proof.
intros t f N Ft. apply Rle_antisym; [apply (nearest_le _ _ _ N Ft) | apply (nearest_ge _ _ _ N Ft)]; lra.
Qed.

Lemma nearest_abs_le : forall s f t, nearest s f -> format t -> Rabs s <= t -> Rabs f <= t.
Proof.
intros s f t N Ft H. apply Rabs_le_inv in H. apply Rabs_le. split.
- apply (nearest_ge s); try easy. now apply generic_format_opp.
- now apply (nearest_le s).
Qed.

(* Flocq's rounding, by which the errors are bounded; its rule for ties does not matter. *)
Notation rnd c := (round radix2 (FLX_exp p) (Znearest c)).

Lemma nearest_rnd : forall c t, nearest t (rnd c t).
Proof. intros c t. apply round_N_pt. apply FLX_exp_valid. exact p_gt_0. Qed.

Lemma nearest_error_le : forall c t f, nearest t f -> Rabs (f - t) <= Rabs (rnd c t - t).
Proof. intros c t f [_ N]. apply N. exact (nearest_format _ _ (nearest_rnd c t)). Qed.

(* (R) on the page. *)
Lemma nearest_error : forall k t f, nearest t f -> Rabs t <= pow k -> Rabs (f - t) <= u * pow k / 2.
Proof.
intros k t f N [H | H].
- apply Rle_trans with (1 := nearest_error_le (fun _ => true) t f N).
  apply Rle_trans with (1 := error_le_half_ulp radix2 (FLX_exp p) _ t).
  apply Rle_trans with (/ 2 * ulp radix2 (FLX_exp p) (pow (k - 1))).
  + apply Rmult_le_compat_l; [lra|].
    destruct (Req_dec t 0) as [-> | Zt].
    * rewrite ulp_FLX_0 by exact p_gt_0. apply ulp_ge_0.
    * rewrite 2 ulp_neq_0; try easy; [|apply Rgt_not_eq, bpow_gt_0].
      apply bpow_le. unfold cexp, FLX_exp. rewrite mag_bpow.
      generalize (mag_le_bpow radix2 t k Zt H). lia.
  + rewrite ulp_bpow. unfold FLX_exp.
    replace (k - 1 + 1 - p)%Z with (k - p)%Z by lia. rewrite pow_minus. lra.
- assert (F : format (pow k)) by (apply generic_format_bpow; unfold FLX_exp; lia).
  rewrite (nearest_id t f N).
  + rewrite Rminus_diag_eq, Rabs_R0 by easy.
    generalize (bpow_ge_0 radix2 k) (proj1 u_bounds). nra.
  + revert H. unfold Rabs. destruct (Rcase_abs t); intros H.
    * rewrite <- (Ropp_involutive t), H. now apply generic_format_opp.
    * now rewrite H.
Qed.

Lemma nearest_error_relative : forall t f, nearest t f -> Rabs (f - t) <= u * Rabs t.
Proof.
intros t f N.
apply Rle_trans with (1 := nearest_error_le (fun _ => true) t f N).
apply Rle_trans with (1 := relative_error_N_FLX radix2 p p_gt_0 _ t).
apply Req_le. rewrite bpow_plus, pow_1. fold u. field.
Qed.

(* (R) for the powers of two that the cases need. *)
Lemma pow_1p : pow (1 - p) = 2 * u. Proof. now rewrite pow_minus, pow_1. Qed.
Lemma pow_2p : pow (2 - p) = 4 * u. Proof. now rewrite pow_minus, pow_2. Qed.
Lemma pow_m1p : pow (- 1 - p) = u / 2. Proof. rewrite pow_minus, pow_m1. lra. Qed.

Lemma nearest_error_1 : forall t f, nearest t f -> Rabs t <= 1 -> Rabs (f - t) <= u / 2.
Proof. intros t f N Ht. generalize (nearest_error (0) t f N Ht). change (pow 0) with 1. lra. Qed.

Lemma nearest_error_2 : forall t f, nearest t f -> Rabs t <= 2 -> Rabs (f - t) <= u.
Proof. intros t f N Ht. rewrite <- pow_1 in Ht. generalize (nearest_error (1) t f N Ht). rewrite pow_1. lra. Qed.

Lemma nearest_error_half_u : forall t f, nearest t f -> Rabs t <= u / 2 -> Rabs (f - t) <= u * u / 4.
Proof. intros t f N Ht. rewrite <- pow_m1p in Ht. generalize (nearest_error (- 1 - p) t f N Ht). rewrite pow_m1p. lra. Qed.

Lemma nearest_error_u : forall t f, nearest t f -> Rabs t <= u -> Rabs (f - t) <= u * u / 2.
Proof. intros t f N Ht. exact (nearest_error (- p) t f N Ht). Qed.

Lemma nearest_error_2u : forall t f, nearest t f -> Rabs t <= 2 * u -> Rabs (f - t) <= u * u.
Proof. intros t f N Ht. rewrite <- pow_1p in Ht. generalize (nearest_error (1 - p) t f N Ht). rewrite pow_1p. lra. Qed.

Lemma nearest_error_4u : forall t f, nearest t f -> Rabs t <= 4 * u -> Rabs (f - t) <= 2 * (u * u).
Proof. intros t f N Ht. rewrite <- pow_2p in Ht. generalize (nearest_error (2 - p) t f N Ht). rewrite pow_2p. lra. Qed.

Lemma multiple_1 : forall e, (e <= 0)%Z -> multiple e 1.
Proof. intros e He. apply multiple_below with (1 := He). exists 1%Z. simpl; lra. Qed.

Lemma multiple_2 : forall e, (e <= 1)%Z -> multiple e 2.
Proof. intros e He. apply multiple_below with (1 := He). exists 1%Z. simpl; lra. Qed.

(* Small integers times u or 1 are numbers. *)
Lemma format_small : forall m k, (Z.abs m <= 4)%Z -> format (IZR m * pow k).
Proof.
intros m k Hm. apply format_of_multiple with k; [now exists m|].
rewrite Rabs_mult, <- abs_IZR, (Rabs_pos_eq (pow k)), bpow_plus, Rmult_comm by apply bpow_ge_0.
apply Rmult_le_compat_l; [apply bpow_ge_0|].
apply Rle_trans with (pow 2).
- rewrite pow_2. now apply IZR_le.
- apply bpow_le. lia.
Qed.

Lemma format_int : forall m, (Z.abs m <= 4)%Z -> format (IZR m).
Proof. intros m Hm. rewrite <- (Rmult_1_r (IZR m)). exact (format_small m 0 Hm). Qed.

Lemma format_u : forall m, (Z.abs m <= 4)%Z -> format (IZR m * u).
Proof. intros m Hm. exact (format_small m (- p) Hm). Qed.

(* Numbers in [1, 2] are multiples of 2 u, numbers in [1/2, 1] of u. *)
Lemma multiple_2u : forall t, format t -> 1 <= t -> multiple (1 - p) t.
Proof.
intros t Ft Ht. apply (multiple_of_format 0 t Ft). rewrite Rabs_pos_eq by lra. exact Ht.
Qed.

Lemma multiple_u : forall t, format t -> 1 / 2 <= t -> multiple (- p) t.
Proof.
intros t Ft Ht. apply (multiple_of_format (- 1) t Ft). rewrite pow_m1, Rabs_pos_eq by lra. exact Ht.
Qed.

(* If s < t then the next number after s is at most t. *)
Lemma step : forall e s t, multiple e s -> multiple e t -> s < t -> s + pow e <= t.
Proof.
intros e s t [m ->] [n ->] H.
assert (Hmn : (m < n)%Z) by (apply lt_IZR; apply Rmult_lt_reg_r with (2 := H); apply bpow_gt_0).
assert (Hmn1 : (m + 1 <= n)%Z) by lia.
apply IZR_le in Hmn1. rewrite plus_IZR in Hmn1. generalize (bpow_gt_0 radix2 e). nra.
Qed.

Lemma step_2u : forall s t, multiple (1 - p) s -> multiple (1 - p) t -> s < t -> s + 2 * u <= t.
Proof. intros s t Hs Ht H. rewrite <- pow_1p. now apply step. Qed.

Lemma step_u : forall s t, multiple (- p) s -> multiple (- p) t -> s < t -> s + u <= t.
Proof. exact (step (- p)). Qed.

Lemma below_2 : forall t, format t -> 1 <= t < 2 -> t <= 2 - 2 * u.
Proof.
intros t Ft Ht. cut (t + 2 * u <= 2); [lra|].
apply step_2u; [apply multiple_2u; easy | apply multiple_2; lia | easy].
Qed.

Lemma format_1_minus_u : format (1 - u).
Proof.
assert (Hu := u_bounds). apply format_of_multiple with (- p)%Z.
- apply multiple_minus; [apply multiple_1; lia | exists 1%Z; unfold unit_roundoff; lra].
- replace (- p + p)%Z with 0%Z by lia. change (pow 0) with 1. rewrite Rabs_pos_eq; lra.
Qed.

Lemma abs_quotient_le : forall t y b, 1 <= y -> Rabs t <= b * y -> Rabs (t / y) <= b.
Proof.
intros t y b Hy H. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ y)).
- apply Rmult_le_reg_r with y; [lra|]. rewrite Rmult_assoc, Rinv_l; lra.
- apply Rlt_le, Rinv_0_lt_compat. lra.
Qed.

End Nearest.
