(* sum.sum2.3 (docs/bounds/sum.md): the error of Sum2 is at most u |s| + phi(n - 2) u^2 / (1 - n u) (S + |s|) / 2 for n
   terms, n u < 1. The precision is any p >= 3. Each addition resolves its ties as it likes. The exponent range is
   unbounded. The error of an addition is taken as what it is, since TwoSum computes it exactly (eft.two_sum.1). *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core.
From assay Require Import nearest.

Open Scope R_scope.

(* The sum of the largest powers of two up to j, j = 1 ... n. *)
Fixpoint phi (n : nat) : Z :=
  match n with
  | O => 0
  | S k => phi k + 2 ^ Z.log2 (Z.of_nat (S k))
  end.

Fixpoint sum_to (x : nat -> R) (i : nat) : R :=
  match i with
  | O => x O
  | S k => sum_to x k + x (S k)
  end.

Section Summation.

Context {p : Z} {Hp : Precision p}.

Let p_3 : (3 <= p)%Z := Hp.

Notation format := (generic_format radix2 (FLX_exp p)).
Notation u := (unit_roundoff p).
Notation nearest := (nearest_number p).

(* Sum2 of x 0, ..., x m gives r: s i is the rounded sum up to x i, e i the error of its last addition, c i the rounded
   sum of e 1, ..., e i. *)
Record sum2 (m : nat) (x s e c : nat -> R) (r : R) : Prop := {
  first_sum : s O = x O;
  sums : forall i, (i < m)%nat -> nearest (s i + x (S i)) (s (S i));
  no_error : e O = 0;
  errors : forall i, (i < m)%nat -> e (S i) = s i + x (S i) - s (S i);
  nothing_lost : c O = 0;
  first_lost : c 1%nat = e 1%nat;
  lost : forall i, (1 <= i < m)%nat -> nearest (c i + e (S i)) (c (S i));
  result : nearest (s m + c m) r
}.

Lemma phi_nonneg : forall n, (0 <= phi n)%Z.
Proof. induction n as [|k IH]; simpl phi; [lia|]. generalize (Z.pow_nonneg 2 (Z.log2 (Z.of_nat (S k)))). lia. Qed.

Lemma partial_sum : forall x m i, (i <= m)%nat ->
  Rabs (sum_to x i) <= sum_to (fun j => Rabs (x j)) i
  /\ Rabs (sum_to x m - sum_to x i) <= sum_to (fun j => Rabs (x j)) m - sum_to (fun j => Rabs (x j)) i.
Proof.
intros x m i H. split.
- clear H m. induction i as [|k IH]; simpl; [lra|]. apply Rle_trans with (1 := Rabs_triang _ _). lra.
- induction H as [|m H IH]; simpl.
  + rewrite 2 Rminus_diag_eq, Rabs_R0 by easy. lra.
  + replace (sum_to x m + x (S m) - sum_to x i) with (sum_to x m - sum_to x i + x (S m)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). lra.
Qed.

Lemma partial_sum_le : forall x m i, (i <= m)%nat ->
  Rabs (sum_to x i) <= (sum_to (fun j => Rabs (x j)) m + Rabs (sum_to x m)) / 2.
Proof.
intros x m i H. destruct (partial_sum x m i H) as [A B].
assert (T := Rabs_triang_inv (sum_to x i) (sum_to x m)).
rewrite (Rabs_minus_sym (sum_to x i)) in T. lra.
Qed.

(* The largest of finitely many magnitudes. *)
Lemma largest : forall (s : nat -> R) m, exists i, (i <= m)%nat /\ forall j, (j <= m)%nat -> Rabs (s j) <= Rabs (s i).
Proof.
intros s m. induction m as [|m (i & Hi & IH)].
- exists O. split; [lia|]. intros j Hj. replace j with O by lia. lra.
- destruct (Rle_lt_dec (Rabs (s (S m))) (Rabs (s i))) as [C | C].
  + exists i. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S m)) as [-> | N]; [easy|]. apply IH. lia.
  + exists (S m). split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S m)) as [-> | N]; [lra|].
    apply Rle_trans with (2 := Rlt_le _ _ C). apply IH. lia.
Qed.

(* If the rounded number is below 2^(f + 1), so is what is rounded. *)
Lemma error_below : forall f t y, nearest t y -> Rabs y < pow (f + 1) -> Rabs (y - t) <= pow (f - p).
Proof.
intros f t y N B.
assert (F : format (pow (f + 1))) by (apply generic_format_bpow; unfold FLX_exp; lia).
assert (L : Rabs t <= pow (f + 1)).
{ apply Rnot_lt_le. intros C. apply Rlt_not_le with (1 := B).
  assert (P := bpow_gt_0 radix2 (f + 1)).
  revert C. unfold Rabs at 1. destruct (Rcase_abs t) as [Neg | Pos]; intros C.
  - assert (T : y <= - pow (f + 1)) by (apply (nearest_le (p := p) t); [easy | now apply generic_format_opp | lra]).
    rewrite Rabs_left1; lra.
  - assert (T : pow (f + 1) <= y) by (apply (nearest_ge (p := p) t); [easy | easy | lra]).
    rewrite Rabs_pos_eq; lra. }
apply Rle_trans with (1 := nearest_error (f + 1) _ _ N L).
apply Req_le. rewrite pow_minus, bpow_plus, pow_1. field.
Qed.

Section Given.

Variables (m : nat) (x s e c : nat -> R) (r : R).
Hypothesis H : sum2 m x s e c r.
Hypothesis nu : (INR m + 1) * u < 1.

Lemma m_below : (Z.of_nat m < 2 ^ p)%Z.
Proof.
apply lt_IZR. rewrite <- INR_IZR_INZ. change 2%Z with (radix_val radix2). rewrite IZR_Zpower by lia.
assert (U := u_bounds (p := p)).
assert (E : u * pow p = 1) by (unfold unit_roundoff; rewrite <- bpow_plus, Z.add_opp_diag_l; reflexivity).
assert (P := bpow_gt_0 radix2 p). nra.
Qed.

Lemma sum_of_errors : forall i, (i <= m)%nat -> s i = sum_to x i - sum_to e i.
Proof.
intros i. induction i as [|i IH]; intros Hi; simpl.
- rewrite (no_error _ _ _ _ _ _ H), (first_sum _ _ _ _ _ _ H). ring.
- rewrite (errors _ _ _ _ _ _ H) by lia. rewrite <- (Rplus_0_r (s (S i))). rewrite IH by lia. ring.
Qed.

Section Bounded.

(* F = 2^f on the page. *)
Variable f : Z.
Hypothesis below : forall i, (i <= m)%nat -> Rabs (s i) < pow (f + 1).

Notation g := (pow (f - p)).

Lemma error_le : forall i, (i <= m)%nat -> Rabs (e i) <= g.
Proof.
intros [|i] Hi.
- rewrite (no_error _ _ _ _ _ _ H), Rabs_R0. apply bpow_ge_0.
- rewrite (errors _ _ _ _ _ _ H) by lia. rewrite Rabs_minus_sym.
  apply error_below; [now apply (sums _ _ _ _ _ _ H) | now apply below].
Qed.

Lemma format_of_steps : forall j : nat, (j <= m)%nat -> format (IZR (Z.of_nat j) * g).
Proof.
intros j Hj. apply format_of_multiple with (f - p)%Z; [now exists (Z.of_nat j)|].
rewrite Rabs_mult, (Rabs_pos_eq g), Rmult_comm, bpow_plus by apply bpow_ge_0.
apply Rmult_le_compat_l; [apply bpow_ge_0|].
rewrite Rabs_pos_eq by (apply IZR_le; lia).
rewrite <- IZR_Zpower by lia. apply IZR_le. change (Zpower radix2 p) with (2 ^ p)%Z. generalize m_below. lia.
Qed.

Lemma sum_of_lost_le : forall j, (j <= m)%nat -> Rabs (c j) <= IZR (Z.of_nat j) * g.
Proof.
intros j. assert (G := bpow_ge_0 radix2 (f - p)). induction j as [|j IH]; intros Hj.
- rewrite (nothing_lost _ _ _ _ _ _ H), Rabs_R0. simpl. lra.
- destruct j as [|j].
  + rewrite (first_lost _ _ _ _ _ _ H). simpl. rewrite Rmult_1_l. apply error_le. lia.
  + apply (nearest_abs_le (p := p) (c (S j) + e (S (S j)))).
    * apply (lost _ _ _ _ _ _ H). lia.
    * now apply format_of_steps.
    * apply Rle_trans with (1 := Rabs_triang _ _).
      rewrite (Nat2Z.inj_succ (S j)), succ_IZR.
      generalize (IH ltac:(lia)) (error_le (S (S j)) Hj). lra.
Qed.

Lemma rounding_of_lost : forall j, (1 <= j < m)%nat ->
  Rabs (c (S j) - (c j + e (S j))) <= u * g * IZR (2 ^ Z.log2 (Z.of_nat j)).
Proof.
intros j Hj. assert (G := bpow_gt_0 radix2 (f - p)).
set (k := Z.log2 (Z.of_nat j)).
assert (K := Z.log2_spec (Z.of_nat j) ltac:(lia)). fold k in K. destruct K as [_ K].
assert (K0 : (0 <= k)%Z) by apply Z.log2_nonneg.
assert (P : IZR (2 ^ k) = pow k) by (apply (IZR_Zpower radix2); easy).
assert (N := lost _ _ _ _ _ _ H j Hj).
assert (L : Rabs (c j + e (S j)) <= pow (k + 1 + (f - p))).
{ apply Rle_trans with (1 := Rabs_triang _ _).
  apply Rle_trans with (IZR (Z.succ (Z.of_nat j)) * g).
  - rewrite succ_IZR. generalize (sum_of_lost_le j ltac:(lia)) (error_le (S j) ltac:(lia)). lra.
  - rewrite bpow_plus. apply Rmult_le_compat_r; [lra|].
    rewrite <- (IZR_Zpower radix2) by lia. apply IZR_le. change (Zpower radix2 (k + 1)) with (2 ^ (k + 1))%Z.
    unfold Z.succ in *. lia. }
apply Rle_trans with (1 := nearest_error _ _ _ N L).
apply Req_le. rewrite bpow_plus, (bpow_plus radix2 k 1), pow_1, P. field.
Qed.

Lemma lost_by_errors : forall j, (S j <= m)%nat -> Rabs (c (S j) - sum_to e (S j)) <= u * g * IZR (phi j).
Proof.
intros j. induction j as [|j IH]; intros Hj.
- simpl. rewrite (first_lost _ _ _ _ _ _ H), (no_error _ _ _ _ _ _ H).
  replace (e 1%nat - (0 + e 1%nat)) with 0 by ring. rewrite Rabs_R0, Rmult_0_r. lra.
- change (sum_to e (S (S j))) with (sum_to e (S j) + e (S (S j))).
  replace (c (S (S j)) - (sum_to e (S j) + e (S (S j))))
    with ((c (S (S j)) - (c (S j) + e (S (S j)))) + (c (S j) - sum_to e (S j))) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  change (phi (S j)) with (phi j + 2 ^ Z.log2 (Z.of_nat (S j)))%Z. rewrite plus_IZR.
  generalize (IH ltac:(lia)) (rounding_of_lost (S j) ltac:(lia)). lra.
Qed.

End Bounded.

Notation exact := (sum_to x m).
Notation magnitudes := (sum_to (fun j => Rabs (x j)) m).

Lemma error_of_result : forall d, Rabs (c m - sum_to e m) <= d -> Rabs (r - exact) <= u * Rabs exact + (1 + u) * d.
Proof.
intros d Hd. assert (U := u_bounds (p := p)).
assert (N := nearest_error_relative _ _ (result _ _ _ _ _ _ H)).
assert (E := sum_of_errors m ltac:(lia)).
replace (s m + c m) with (exact + (c m - sum_to e m)) in N by (rewrite E; ring).
assert (T := Rabs_triang exact (c m - sum_to e m)).
replace (r - exact) with ((r - (exact + (c m - sum_to e m))) + (c m - sum_to e m)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). nra.
Qed.

Lemma steps_le : forall f, (forall i, (i <= m)%nat -> Rabs (e i) <= f) ->
  forall i, (i <= m)%nat -> Rabs (sum_to e i) <= INR i * f.
Proof.
intros f Hf i. induction i as [|i IH]; intros Hi.
- simpl. rewrite (no_error _ _ _ _ _ _ H), Rabs_R0. lra.
- rewrite S_INR. simpl sum_to. apply Rle_trans with (1 := Rabs_triang _ _).
  generalize (IH ltac:(lia)) (Hf (S i) Hi). lra.
Qed.

Lemma all_zero : (forall i, (i <= m)%nat -> s i = 0) -> c m - sum_to e m = 0.
Proof.
intros Z0.
assert (E : forall i, (i <= m)%nat -> e i = 0).
{ intros [|i] Hi; [apply (no_error _ _ _ _ _ _ H)|].
  assert (N := nearest_error_relative _ _ (sums _ _ _ _ _ _ H i Hi)).
  rewrite (errors _ _ _ _ _ _ H) by lia. rewrite 2 Z0 in N |- * by lia.
  assert (U := u_bounds (p := p)). rewrite Rabs_minus_sym in N.
  replace (0 + x (S i) - 0) with (0 + x (S i)) in N |- * by ring.
  generalize (Rabs_pos (0 + x (S i))). intros A.
  destruct (Req_dec (0 + x (S i)) 0) as [Q | Q]; [easy|]. apply Rabs_pos_lt in Q. nra. }
assert (C : forall i, (i <= m)%nat -> c i = 0).
{ intros i. induction i as [|i IH]; intros Hi; [apply (nothing_lost _ _ _ _ _ _ H)|].
  destruct i as [|i]; [rewrite (first_lost _ _ _ _ _ _ H); now apply E|].
  assert (N := lost _ _ _ _ _ _ H (S i) ltac:(lia)).
  rewrite IH, E, Rplus_0_r in N by lia. apply (nearest_id _ _ N). apply generic_format_0. }
rewrite C by lia.
assert (T := steps_le 0 (fun i Hi => Req_le _ _ (eq_trans (f_equal Rabs (E i Hi)) Rabs_R0)) m ltac:(lia)).
rewrite Rmult_0_r in T. generalize (Rabs_pos (sum_to e m)). intros A.
destruct (Req_dec (sum_to e m) 0) as [-> | Q]; [ring|]. apply Rabs_pos_lt in Q. lra.
Qed.

Theorem sum2_error :
  Rabs (r - exact) <= u * Rabs exact
    + IZR (phi (m - 1)) * (u * u) / (1 - (INR m + 1) * u) * ((magnitudes + Rabs exact) / 2).
Proof.
assert (U := u_bounds (p := p)).
set (v := (magnitudes + Rabs exact) / 2).
assert (V : 0 <= v).
{ generalize (partial_sum_le x m m ltac:(lia)) (Rabs_pos exact). fold v. lra. }
assert (P : 0 <= IZR (phi (m - 1))) by (apply IZR_le, phi_nonneg).
assert (M : 0 <= INR m) by apply pos_INR.
assert (W : 0 < 1 - (INR m + 1) * u) by lra.
assert (D : 0 <= IZR (phi (m - 1)) * (u * u) / (1 - (INR m + 1) * u) * v).
{ apply Rmult_le_pos; [|easy]. apply Rmult_le_pos; [nra|]. now apply Rlt_le, Rinv_0_lt_compat. }
destruct (largest s m) as (i & Hi & L).
destruct (Req_dec (s i) 0) as [Z0 | NZ].
- assert (A : c m - sum_to e m = 0).
  { apply all_zero. intros j Hj. generalize (L j Hj) (Rabs_pos (s j)). rewrite Z0, Rabs_R0. intros A B.
    destruct (Req_dec (s j) 0) as [Q | Q]; [easy|]. apply Rabs_pos_lt in Q. lra. }
  apply Rle_trans with (1 := error_of_result 0 ltac:(rewrite A, Rabs_R0; lra)). lra.
- set (f := (mag radix2 (s i) - 1)%Z).
  assert (B : forall j, (j <= m)%nat -> Rabs (s j) < pow (f + 1)).
  { intros j Hj. apply Rle_lt_trans with (1 := L j Hj).
    replace (f + 1)%Z with (mag radix2 (s i) : Z) by (unfold f; lia). apply bpow_mag_gt. }
  assert (F : pow f <= Rabs (s i)) by (apply bpow_mag_le; easy).
  assert (G : pow (f - p) = pow f * u) by apply pow_minus.
  assert (F0 := bpow_gt_0 radix2 f).
  assert (Q : pow f * (1 - INR m * u) <= v).
  { assert (E := steps_le _ (error_le f B) i Hi).
    assert (R := partial_sum_le x m i Hi). fold v in R.
    rewrite (sum_of_errors i Hi) in F.
    assert (T := Rabs_triang (sum_to x i) (- sum_to e i)). rewrite Rabs_Ropp in T.
    replace (sum_to x i + - sum_to e i) with (sum_to x i - sum_to e i) in T by ring.
    assert (I : INR i <= INR m) by now apply le_INR.
    rewrite G in E. assert (0 <= (INR m - INR i) * (pow f * u)) by (apply Rmult_le_pos; nra). lra. }
  assert (A : Rabs (c m - sum_to e m) <= u * pow (f - p) * IZR (phi (m - 1))).
  { destruct (Nat.eq_dec m 0) as [E | E].
    - rewrite E. simpl. rewrite (nothing_lost _ _ _ _ _ _ H), (no_error _ _ _ _ _ _ H), Rminus_0_r, Rabs_R0. lra.
    - assert (E1 := lost_by_errors f B (m - 1)). replace (S (m - 1)) with m in E1 by lia. apply E1. lia. }
  apply Rle_trans with (1 := error_of_result _ A). apply Rplus_le_compat_l.
  rewrite G.
  replace (IZR (phi (m - 1)) * (u * u) / (1 - (INR m + 1) * u) * v)
    with (IZR (phi (m - 1)) * (u * u) * (v / (1 - (INR m + 1) * u))) by (field; lra).
  replace ((1 + u) * (u * (pow f * u) * IZR (phi (m - 1))))
    with (IZR (phi (m - 1)) * (u * u) * ((1 + u) * pow f)) by ring.
  apply Rmult_le_compat_l; [nra|].
  apply Rmult_le_reg_r with (1 - (INR m + 1) * u); [easy|].
  replace (v / (1 - (INR m + 1) * u) * (1 - (INR m + 1) * u)) with v by (field; lra).
  apply Rle_trans with (2 := Q).
  assert (0 <= pow f * (u * u * (INR m + 1))) by (apply Rmult_le_pos; nra). nra.
Qed.

End Given.

End Summation.

Print Assumptions sum2_error.
