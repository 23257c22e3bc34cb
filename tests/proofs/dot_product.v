(* dot.dot2.3 (docs/bounds/dot.md) where nothing underflows: with v = (T + |d|) / 2, the error of Dot2 is at most
   u |d| + (phi(n + 3) + n - 6) u^2 / (1 - (n + 2) u) v for n products, n^2 u <= 1. The precision is any p >= 3. Each operation
   resolves its ties as it likes. The error of an addition or a product is taken as what it is, since TwoSum and TwoProd
   compute it exactly (eft.two_sum.1, eft.two_prod.1). *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core.
From assay Require Import nearest summation.

Open Scope R_scope.

(** * phi *)

Lemma phi_step : forall n, phi (S n) = (phi n + 2 ^ Z.log2 (Z.of_nat (S n)))%Z.
Proof. reflexivity. Qed.

(* With l = 2^m, m = log2 n: 3 phi(n) = l^2 - 1 + 3 (n - l + 1) l. *)
Lemma phi_closed : forall n, (1 <= n)%nat ->
  let l := (2 ^ Z.log2 (Z.of_nat n))%Z in (3 * phi n = l * l - 1 + 3 * (Z.of_nat n - l + 1) * l)%Z.
Proof.
intros n Hn. destruct n as [|n]; [lia|]. clear Hn. induction n as [|n IH]; [reflexivity|].
intros l. rewrite phi_step. fold l.
set (k := (2 ^ Z.log2 (Z.of_nat (S n)))%Z) in *. cbv zeta in IH.
assert (B := Z.log2_spec (Z.of_nat (S n)) ltac:(lia)).
assert (C := Z.log2_spec (Z.of_nat (S (S n))) ltac:(lia)).
assert (M := Z.log2_nonneg (Z.of_nat (S n))).
destruct (Z.log2_succ_or (Z.of_nat (S n))) as [E | E].
- assert (L : l = (2 * k)%Z).
  { unfold l, k. rewrite (Nat2Z.inj_succ (S n)), E. now rewrite Z.pow_succ_r. }
  rewrite Z.pow_succ_r in B by easy. fold k in B. fold l in C. rewrite L in *.
  assert (N : Z.of_nat (S (S n)) = (2 * k)%Z) by lia.
  replace (Z.of_nat (S n)) with (2 * k - 1)%Z in IH by lia. rewrite N. nia.
- assert (L : l = k) by (unfold l, k; now rewrite (Nat2Z.inj_succ (S n)), E).
  rewrite L. rewrite (Nat2Z.inj_succ (S n)). nia.
Qed.

Lemma phi_ge : forall n, (Z.of_nat n * Z.of_nat n + 2 * Z.of_nat n <= 3 * phi n)%Z.
Proof.
intros [|n]; [easy|].
assert (E := phi_closed (S n) ltac:(lia)). cbv zeta in E. rewrite E.
assert (B := Z.log2_spec (Z.of_nat (S n)) ltac:(lia)).
rewrite Z.pow_succ_r in B by apply Z.log2_nonneg.
set (l := (2 ^ Z.log2 (Z.of_nat (S n)))%Z) in *. nia.
Qed.

(** * Dot2 *)

Section Dot.

Context {p : Z} {Hp : Precision p}.

Let p_3 : (3 <= p)%Z := Hp.

Notation format := (generic_format radix2 (FLX_exp p)).
Notation u := (unit_roundoff p).
Notation nearest := (nearest_number p).

(* Dot2 of the exact products q 1, ..., q n gives z: a i is the rounded product and r i its error, s i the rounded sum
   of the a, e i the error of its last addition, t i the rounded e i + r i, c i the rounded sum of the t. *)
Record dot2 (n : nat) (q a r s e t c : nat -> R) (z : R) : Prop := {
  no_product : q O = 0 /\ r O = 0 /\ s O = 0 /\ e O = 0 /\ c O = 0;
  products : forall i, (i < n)%nat -> nearest (q (S i)) (a (S i));
  products_errors : forall i, (i < n)%nat -> r (S i) = q (S i) - a (S i) /\ format (r (S i));
  additions : forall i, (i < n)%nat -> nearest (s i + a (S i)) (s (S i));
  additions_errors : forall i, (i < n)%nat -> e (S i) = s i + a (S i) - s (S i);
  corrections : forall i, (i < n)%nat -> nearest (e (S i) + r (S i)) (t (S i));
  collected : forall i, (i < n)%nat -> nearest (c i + t (S i)) (c (S i));
  dot : nearest (s n + c n) z
}.

Section Given.

Variables (n : nat) (q a r s e t c : nat -> R) (z : R).
Hypothesis H : dot2 n q a r s e t c z.
Hypothesis some : (1 <= n)%nat.
Hypothesis few : INR n * INR n * u <= 1.
Hypothesis nu : (INR n + 2) * u < 1.

Notation N := (INR n).
Notation exact := (sum_to q n).
Notation magnitudes := (sum_to (fun j => Rabs (q j)) n).
Notation v := ((magnitudes + Rabs exact) / 2).
Notation rho := (sum_to (fun j => Rabs (r j)) n).
Notation psi := (IZR (phi (n + 3)) + N - 6).

Let U := u_bounds (p := p).

Lemma N_ge_1 : 1 <= N.
Proof. change 1 with (INR 1). now apply le_INR. Qed.

Lemma zeros : q O = 0 /\ r O = 0 /\ s O = 0 /\ e O = 0 /\ c O = 0.
Proof. exact (no_product _ _ _ _ _ _ _ _ _ H). Qed.

Lemma first_error : e 1%nat = 0.
Proof.
destruct zeros as (_ & _ & S0 & _).
rewrite (additions_errors _ _ _ _ _ _ _ _ _ H) by lia. rewrite S0.
assert (A := additions _ _ _ _ _ _ _ _ _ H O ltac:(lia)). rewrite S0, Rplus_0_l in A.
rewrite (nearest_id _ _ A); [ring|]. exact (nearest_format _ _ (products _ _ _ _ _ _ _ _ _ H O ltac:(lia))).
Qed.

Lemma first_collected : c 1%nat = r 1%nat.
Proof.
destruct zeros as (_ & _ & _ & _ & C0).
assert (F : format (r 1%nat)) by apply (products_errors _ _ _ _ _ _ _ _ _ H O ltac:(lia)).
assert (T := corrections _ _ _ _ _ _ _ _ _ H O ltac:(lia)). rewrite first_error, Rplus_0_l in T.
assert (C := collected _ _ _ _ _ _ _ _ _ H O ltac:(lia)).
rewrite C0, Rplus_0_l, (nearest_id _ _ T F) in C. exact (nearest_id _ _ C F).
Qed.

Lemma sum_of_parts : forall i, (i <= n)%nat -> s i = sum_to q i - sum_to e i - sum_to r i.
Proof.
destruct zeros as (Q0 & R0 & S0 & E0 & _).
intros i. induction i as [|i IH]; intros Hi; simpl.
- rewrite Q0, R0, S0, E0. ring.
- destruct (products_errors _ _ _ _ _ _ _ _ _ H i ltac:(lia)) as [-> _].
  rewrite (additions_errors _ _ _ _ _ _ _ _ _ H) by lia.
  rewrite <- (Rplus_0_r (s (S i))). rewrite IH by lia. ring.
Qed.

Lemma sum_mono : forall (f : nat -> R) i j, (forall k, 0 <= f k) -> (i <= j)%nat -> sum_to f i <= sum_to f j.
Proof. intros f i j P L. induction L as [|j L IH]; [lra|]. simpl. generalize (P (S j)). lra. Qed.

Lemma rho_le : rho <= 2 * u * v.
Proof.
assert (L : forall i, (i <= n)%nat ->
  sum_to (fun j => Rabs (r j)) i <= u * sum_to (fun j => Rabs (q j)) i).
{ destruct zeros as (Q0 & R0 & _). intros i. induction i as [|i IH]; intros Hi; simpl.
  - rewrite Q0, R0, Rabs_R0. lra.
  - destruct (products_errors _ _ _ _ _ _ _ _ _ H i ltac:(lia)) as [-> _].
    assert (P := nearest_error_relative _ _ (products _ _ _ _ _ _ _ _ _ H i ltac:(lia))).
    rewrite Rabs_minus_sym in P. generalize (IH ltac:(lia)). lra. }
generalize (L n (le_n n)) (Rabs_pos exact). nra.
Qed.

Lemma v_pos : 0 <= v.
Proof. generalize (partial_sum_le q n n (le_n n)) (Rabs_pos exact). lra. Qed.

Lemma growth : forall i, (i <= n)%nat -> (1 + u) ^ i * (1 - N * u) <= 1.
Proof.
assert (G : forall i, (i <= n)%nat -> (1 + u) ^ i * (1 - INR i * u) <= 1).
{ intros i. induction i as [|i IH]; intros Hi; [simpl; lra|].
  apply Rle_trans with (2 := IH ltac:(lia)). rewrite S_INR.
  change ((1 + u) ^ S i) with ((1 + u) * (1 + u) ^ i).
  assert (P : 0 <= (1 + u) ^ i) by (apply pow_le; lra).
  replace ((1 + u) * (1 + u) ^ i * (1 - (INR i + 1) * u))
    with ((1 + u) ^ i * ((1 + u) * (1 - (INR i + 1) * u))) by ring.
  apply Rmult_le_compat_l; [easy|]. generalize (pos_INR i). nra. }
intros i Hi. apply Rle_trans with (2 := G i Hi).
apply Rmult_le_compat_l; [apply pow_le; lra|]. generalize (le_INR i n Hi). nra.
Qed.

(* A i: the magnitudes of all errors up to i. *)
Notation A := (sum_to (fun j => Rabs (e j) + Rabs (r j))).

Lemma terms_pos : forall k, 0 <= Rabs (e k) + Rabs (r k).
Proof. intros k. generalize (Rabs_pos (e k)) (Rabs_pos (r k)). lra. Qed.

Lemma A_pos : forall i, 0 <= A i.
Proof. intros i. apply Rle_trans with (A 0); [apply terms_pos|]. apply sum_mono; [apply terms_pos | lia]. Qed.

Lemma correction_error : forall i, (i < n)%nat ->
  Rabs (t (S i) - (e (S i) + r (S i))) <= u * (Rabs (e (S i)) + Rabs (r (S i))).
Proof.
intros i Hi. apply Rle_trans with (1 := nearest_error_relative _ _ (corrections _ _ _ _ _ _ _ _ _ H i Hi)).
apply Rmult_le_compat_l; [lra|]. apply Rabs_triang.
Qed.

Lemma correction_le : forall i, (i < n)%nat -> Rabs (t (S i)) <= (1 + u) * (Rabs (e (S i)) + Rabs (r (S i))).
Proof.
intros i Hi. replace (t (S i)) with ((t (S i) - (e (S i) + r (S i))) + (e (S i) + r (S i))) by ring.
apply Rle_trans with (1 := Rabs_triang _ _).
generalize (correction_error i Hi) (Rabs_triang (e (S i)) (r (S i))). lra.
Qed.

Lemma collected_le : forall i, (S i <= n)%nat -> Rabs (c (S i)) <= (1 + u) ^ S i * A (S i).
Proof.
intros i. induction i as [|i IH]; intros Hi.
- rewrite first_collected. simpl sum_to. rewrite first_error, Rabs_R0. replace ((1 + u) ^ 1) with (1 + u) by ring.
  generalize (terms_pos 0) (Rabs_pos (r 1%nat)). nra.
- assert (E := nearest_error_relative _ _ (collected _ _ _ _ _ _ _ _ _ H (S i) ltac:(lia))).
  assert (C : Rabs (c (S (S i))) <= (1 + u) * Rabs (c (S i) + t (S (S i)))).
  { replace (c (S (S i))) with ((c (S (S i)) - (c (S i) + t (S (S i)))) + (c (S i) + t (S (S i)))) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). lra. }
  apply Rle_trans with (1 := C).
  change (A (S (S i))) with (A (S i) + (Rabs (e (S (S i))) + Rabs (r (S (S i))))).
  replace ((1 + u) ^ S (S i)) with ((1 + u) * (1 + u) ^ S i) by reflexivity.
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  apply Rle_trans with (1 := Rabs_triang _ _).
  assert (P : (1 + u) * 1 <= (1 + u) * (1 + u) ^ i) by (apply Rmult_le_compat_l; [lra | apply pow_R1_Rle; lra]).
  change ((1 + u) * (1 + u) ^ i) with ((1 + u) ^ S i) in P.
  generalize (IH ltac:(lia)) (correction_le (S i) ltac:(lia)) (terms_pos (S (S i))). nra.
Qed.

Notation lost := (c n - (sum_to e n + sum_to r n)).

Section Bounded.

Variable g : R.
Hypothesis g_pos : 0 <= g.
Hypothesis e_le : forall i, (i <= n)%nat -> Rabs (e i) <= g.

Lemma errors_le : forall i, (S i <= n)%nat -> sum_to (fun j => Rabs (e j)) (S i) <= INR i * g.
Proof.
intros i. induction i as [|i IH]; intros Hi.
- simpl. destruct zeros as (_ & _ & _ & -> & _). rewrite first_error, Rabs_R0. lra.
- rewrite S_INR. change (sum_to (fun j => Rabs (e j)) (S (S i))) with
    (sum_to (fun j => Rabs (e j)) (S i) + Rabs (e (S (S i)))).
  generalize (IH ltac:(lia)) (e_le (S (S i)) Hi). lra.
Qed.

Lemma A_le : forall i, (S i <= n)%nat -> A (S i) <= INR i * g + rho.
Proof.
intros i Hi.
assert (P : forall j, A j = sum_to (fun k => Rabs (e k)) j + sum_to (fun k => Rabs (r k)) j).
{ induction j as [|j IH]; simpl; [easy|]. rewrite IH. ring. }
rewrite P. apply Rplus_le_compat; [now apply errors_le|].
apply sum_mono; [intros k; apply Rabs_pos | easy].
Qed.

(* What is rounded when c (i + 1) is formed. *)
Lemma rounded_le : forall i, (1 <= i < n)%nat -> Rabs (c i + t (S i)) * (1 - N * u) <= INR i * g + rho.
Proof.
intros [|i] Hi; [lia|].
apply Rle_trans with (2 := A_le (S i) ltac:(lia)).
apply Rle_trans with ((1 + u) ^ S i * A (S (S i)) * (1 - N * u)).
- apply Rmult_le_compat_r; [nra|]. apply Rle_trans with (1 := Rabs_triang _ _).
  change (A (S (S i))) with (A (S i) + (Rabs (e (S (S i))) + Rabs (r (S (S i))))).
  assert (P : (1 + u) * 1 <= (1 + u) * (1 + u) ^ i) by (apply Rmult_le_compat_l; [lra | apply pow_R1_Rle; lra]).
  change ((1 + u) * (1 + u) ^ i) with ((1 + u) ^ S i) in P.
  generalize (collected_le i ltac:(lia)) (correction_le (S i) ltac:(lia)) (terms_pos (S (S i))). nra.
- generalize (growth (S i) ltac:(lia)) (A_pos (S (S i))). nra.
Qed.

(* The errors add up; b counts those of the sums c. *)
Lemma lost_le : forall b : nat -> R,
  (forall i, (1 <= i < n)%nat -> Rabs (c (S i) - (c i + t (S i))) <= b i - b (Nat.pred i)) ->
  forall i, (S i <= n)%nat -> Rabs (c (S i) - (sum_to e (S i) + sum_to r (S i))) <= b i - b O + u * A (S i).
Proof.
intros b Hb i. induction i as [|i IH]; intros Hi.
- simpl. destruct zeros as (_ & -> & _ & -> & _). rewrite first_collected, first_error.
  replace (r 1%nat - (0 + 0 + (0 + r 1%nat))) with 0 by ring. rewrite Rabs_R0.
  generalize (Rabs_pos (r 1%nat)). nra.
- change (sum_to e (S (S i))) with (sum_to e (S i) + e (S (S i))).
  change (sum_to r (S (S i))) with (sum_to r (S i) + r (S (S i))).
  change (A (S (S i))) with (A (S i) + (Rabs (e (S (S i))) + Rabs (r (S (S i))))).
  replace (c (S (S i)) - (sum_to e (S i) + e (S (S i)) + (sum_to r (S i) + r (S (S i)))))
    with ((c (S (S i)) - (c (S i) + t (S (S i)))) + (c (S i) - (sum_to e (S i) + sum_to r (S i)))
          + (t (S (S i)) - (e (S (S i)) + r (S (S i))))) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). apply Rle_trans with (1 := Rplus_le_compat_r _ _ _ (Rabs_triang _ _)).
  generalize (IH ltac:(lia)) (correction_error (S i) ltac:(lia)) (Hb (S i) ltac:(lia)). simpl Nat.pred. lra.
Qed.

Lemma last_but_one : S (n - 1) = n /\ INR (n - 1) = N - 1.
Proof. split; [lia|]. now rewrite minus_INR. Qed.

Lemma lost_by : forall b : nat -> R,
  (forall i, (1 <= i < n)%nat -> Rabs (c (S i) - (c i + t (S i))) <= b i - b (Nat.pred i)) ->
  Rabs lost <= b (n - 1)%nat - b O + u * ((N - 1) * g + rho).
Proof.
intros b Hb. destruct last_but_one as [S1 I1].
assert (L := lost_le b Hb (n - 1)). assert (B := A_le (n - 1)). rewrite S1, ?I1 in L, B.
specialize (L (le_n n)). specialize (B (le_n n)). nra.
Qed.

(* The second case: F is small, and psi is more than enough. *)
Lemma lost_if_small : 2 * g * (1 - (N + 1) * u) <= u * v -> Rabs lost * (1 - (N + 1) * u) <= u * u * v * psi.
Proof.
intros Small. destruct last_but_one as [S1 I1].
assert (N1 := N_ge_1). assert (R := rho_le). assert (V := v_pos).
assert (W : 0 < 1 - N * u) by nra. assert (W1 : 0 < 1 - (N + 1) * u) by nra.
assert (R0 : 0 <= rho).
{ apply Rle_trans with (Rabs (r O)); [apply Rabs_pos|].
  apply (sum_mono (fun j => Rabs (r j)) 0 n); [intros k; apply Rabs_pos | lia]. }
assert (L := lost_by (fun i => u / (1 - N * u) * (g * (INR i * (INR i + 1) / 2) + INR i * rho))). simpl in L.
rewrite I1 in L.
assert (Rounds : Rabs lost <= u * (g * (N * (N - 1) / 2) + (N - 1) * rho) / (1 - N * u) + u * ((N - 1) * g + rho)).
{ apply Rle_trans with (1 := L ltac:(
    intros i Hi; apply Rle_trans with (1 := nearest_error_relative _ _ (collected _ _ _ _ _ _ _ _ _ H i ltac:(lia)));
    destruct i as [|i]; [lia|]; simpl Nat.pred; rewrite S_INR;
    replace (u / (1 - N * u) * (g * ((INR i + 1) * (INR i + 1 + 1) / 2) + (INR i + 1) * rho)
      - u / (1 - N * u) * (g * (INR i * (INR i + 1) / 2) + INR i * rho))
      with (u * (((INR i + 1) * g + rho) / (1 - N * u))) by (field; lra);
    apply Rmult_le_compat_l; [lra|]; apply Rmult_le_reg_r with (1 := W);
    replace (((INR i + 1) * g + rho) / (1 - N * u) * (1 - N * u)) with ((INR i + 1) * g + rho) by (field; lra);
    rewrite <- S_INR; now apply rounded_le)).
  apply Req_le. field. lra. }
clear L.
assert (K : (N - 1) / (1 - N * u) <= N).
{ apply Rmult_le_reg_r with (1 := W). replace ((N - 1) / (1 - N * u) * (1 - N * u)) with (N - 1) by (field; lra). nra. }
assert (P : N * N / 3 + 11 / 3 * N - 1 <= psi).
{ assert (P := phi_ge (n + 3)). apply IZR_le in P.
  rewrite plus_IZR, 3 mult_IZR, <- INR_IZR_INZ, plus_INR in P. replace (INR 3) with 3 in P by (simpl; ring).
  set (w := IZR (phi (n + 3))) in *. lra. }
(* g w <= u v / 2 and rho w / (1 - N u) <= 2 u v *)
set (w := 1 - (N + 1) * u) in *.
assert (G : g * w <= u * v / 2) by lra.
assert (Q : rho * w <= 2 * u * v * (1 - N * u)).
{ apply Rle_trans with (rho * (1 - N * u)); [apply Rmult_le_compat_l; unfold w; nra | apply Rmult_le_compat_r; lra]. }
assert (Q1 : rho * w <= 2 * u * v).
{ assert (0 <= u * v * (N * u)) by (apply Rmult_le_pos; nra). lra. }
apply Rle_trans with (1 := Rmult_le_compat_r w _ _ (Rlt_le _ _ W1) Rounds).
replace ((u * (g * (N * (N - 1) / 2) + (N - 1) * rho) / (1 - N * u) + u * ((N - 1) * g + rho)) * w)
  with (u * ((g * w) * (N / 2) * ((N - 1) / (1 - N * u)) + (N - 1) * ((rho * w) / (1 - N * u))
             + (N - 1) * (g * w) + rho * w))
  by (field; lra).
assert (T1 : (g * w) * (N / 2) * ((N - 1) / (1 - N * u)) <= u * v / 2 * (N / 2) * N).
{ assert (0 <= g * w) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (g * w * (N / 2) * N).
  - apply Rmult_le_compat_l; [nra | easy].
  - apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_r; lra. }
assert (T2 : (rho * w) / (1 - N * u) <= 2 * u * v).
{ apply Rmult_le_reg_r with (1 := W).
  replace (rho * w / (1 - N * u) * (1 - N * u)) with (rho * w) by (field; lra). lra. }
apply Rle_trans with (u * (u * v * (N * N / 3 + 11 / 3 * N - 1))).
- apply Rmult_le_compat_l; [lra|]. assert (0 <= u * v) by nra. nra.
- replace (u * u * v * psi) with (u * (u * v * psi)) by ring.
  apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; [nra | easy].
Qed.

End Bounded.

(* The first case: F = 2^f is more than half of its bound. *)
Lemma lost_if_large : forall f, (forall i, (i <= n)%nat -> Rabs (e i) <= pow (f - p)) ->
  u * v <= 2 * pow (f - p) * (1 - (N + 1) * u) -> Rabs lost <= u * pow (f - p) * psi.
Proof.
intros f e_le Large. set (g := pow (f - p)) in *.
assert (G : 0 < g) by apply bpow_gt_0.
assert (N1 := N_ge_1). assert (R := rho_le).
assert (W : 0 < 1 - N * u) by nra.
assert (R4 : rho <= 4 * g * (1 - N * u)) by nra.
assert (L := lost_by g e_le (fun i => u * g * IZR (phi (i + 4)))). cbv beta in L.
replace (n - 1 + 4)%nat with (n + 3)%nat in L by lia. change (phi (0 + 4)) with 9%Z in L.
apply Rle_trans with (u * g * IZR (phi (n + 3)) - u * g * 9 + u * ((N - 1) * g + rho)); [apply L |].
2: { assert (u * rho <= u * (4 * g)).
     { apply Rmult_le_compat_l; [lra|]. assert (0 <= 4 * g * (N * u)) by (apply Rmult_le_pos; nra). lra. }
     lra. }
clear L. intros [|i] Hi; [lia|]. simpl Nat.pred.
change (phi (S i + 4)) with (phi (i + 4) + 2 ^ Z.log2 (Z.of_nat (S i + 4)))%Z. rewrite plus_IZR.
set (k := Z.log2 (Z.of_nat (S i + 4))).
assert (K := Z.log2_spec (Z.of_nat (S i + 4)) ltac:(lia)). fold k in K. destruct K as [_ K].
assert (K0 : (0 <= k)%Z) by apply Z.log2_nonneg.
assert (P : IZR (2 ^ k) = pow k) by (apply (IZR_Zpower radix2); easy).
assert (B : Rabs (c (S i) + t (S (S i))) <= (INR (S i) + 5) * g).
{ apply Rmult_le_reg_r with (1 := W).
  apply Rle_trans with (1 := rounded_le g e_le (S i) Hi).
  assert (I : INR (S i) + 1 <= N) by (rewrite <- S_INR; apply le_INR; lia).
  assert (J := pos_INR (S i)).
  assert (INR (S i) <= (INR (S i) + 1) * (1 - N * u)) by nra. nra. }
assert (C : (INR (S i) + 5) * g <= pow (k + 1 + (f - p))).
{ rewrite bpow_plus. fold g. apply Rmult_le_compat_r; [lra|].
  replace (INR (S i) + 5) with (IZR (Z.of_nat (S i + 4) + 1))
    by (rewrite plus_IZR, Nat2Z.inj_add, plus_IZR, <- INR_IZR_INZ; simpl (IZR (Z.of_nat 4)); ring).
  rewrite <- (IZR_Zpower radix2) by lia. apply IZR_le. change (Zpower radix2 (k + 1)) with (2 ^ (k + 1))%Z.
  unfold Z.succ in K. lia. }
apply Rle_trans with (1 := nearest_error _ _ _ (collected _ _ _ _ _ _ _ _ _ H (S i) ltac:(lia)) (Rle_trans _ _ _ B C)).
apply Req_le. rewrite bpow_plus, (bpow_plus radix2 k 1), pow_1, P. fold g. field.
Qed.

Lemma psi_pos : 0 <= psi.
Proof.
assert (P := phi_ge (n + 3)). apply IZR_le in P.
rewrite plus_IZR, 3 mult_IZR, <- INR_IZR_INZ, plus_INR in P. replace (INR 3) with 3 in P by (simpl; ring).
generalize N_ge_1. nra.
Qed.

Lemma sum_abs : forall (f : nat -> R) i, Rabs (sum_to f i) <= sum_to (fun j => Rabs (f j)) i.
Proof. intros f i. now destruct (partial_sum f i i (le_n i)). Qed.

Lemma lost_le_v : Rabs lost * (1 - (N + 1) * u) <= u * u * v * psi.
Proof.
assert (N1 := N_ge_1). assert (V := v_pos). assert (PSI := psi_pos). assert (R := rho_le).
assert (W1 : 0 < 1 - (N + 1) * u) by nra.
destruct (largest s n) as (i & Hi & L).
destruct (Req_dec (s i) 0) as [Z0 | NZ].
- apply (lost_if_small 0); [lra | | nra].
  intros [|j] Hj; [destruct zeros as (_ & _ & _ & -> & _); rewrite Rabs_R0; lra|].
  assert (S0 : forall k, (k <= n)%nat -> s k = 0).
  { intros k Hk. generalize (L k Hk) (Rabs_pos (s k)). rewrite Z0, Rabs_R0. intros A B.
    destruct (Req_dec (s k) 0) as [Q | Q]; [easy|]. apply Rabs_pos_lt in Q. lra. }
  assert (E := nearest_error_relative _ _ (additions _ _ _ _ _ _ _ _ _ H j Hj)).
  rewrite (additions_errors _ _ _ _ _ _ _ _ _ H) by lia. rewrite 2 S0 in E |- * by lia.
  rewrite Rabs_minus_sym in E. replace (0 + a (S j) - 0) with (0 + a (S j)) in E |- * by ring.
  generalize (Rabs_pos (0 + a (S j))). nra.
- set (f := (mag radix2 (s i) - 1)%Z).
  assert (B : forall j, (j <= n)%nat -> Rabs (s j) < pow (f + 1)).
  { intros j Hj. apply Rle_lt_trans with (1 := L j Hj).
    replace (f + 1)%Z with (mag radix2 (s i) : Z) by (unfold f; lia). apply bpow_mag_gt. }
  assert (F : pow f <= Rabs (s i)) by (apply bpow_mag_le; easy).
  assert (E : forall j, (j <= n)%nat -> Rabs (e j) <= pow (f - p)).
  { intros [|j] Hj; [destruct zeros as (_ & _ & _ & -> & _); rewrite Rabs_R0; apply bpow_ge_0|].
    rewrite (additions_errors _ _ _ _ _ _ _ _ _ H) by lia. rewrite Rabs_minus_sym.
    apply error_below; [now apply (additions _ _ _ _ _ _ _ _ _ H) | now apply B]. }
  assert (G : pow (f - p) = pow f * u) by apply pow_minus.
  assert (F0 := bpow_gt_0 radix2 f).
  destruct (Rle_lt_dec (2 * pow (f - p) * (1 - (N + 1) * u)) (u * v)) as [S0 | S0].
  + apply (lost_if_small (pow (f - p))); [apply bpow_ge_0 | easy | easy].
  + apply Rle_trans with (u * pow (f - p) * psi * (1 - (N + 1) * u)).
    { apply Rmult_le_compat_r; [lra|]. apply lost_if_large; [easy | lra]. }
    assert (Q : pow f * (1 - (N + 1) * u) <= v).
    { destruct i as [|i]; [destruct zeros as (_ & _ & -> & _) in NZ; easy|].
      rewrite (sum_of_parts (S i) Hi) in F.
      assert (T1 := Rabs_triang (sum_to q (S i) + - sum_to e (S i)) (- sum_to r (S i))).
      assert (T2 := Rabs_triang (sum_to q (S i)) (- sum_to e (S i))).
      rewrite Rabs_Ropp in T1, T2.
      replace (sum_to q (S i) + - sum_to e (S i) + - sum_to r (S i))
        with (sum_to q (S i) - sum_to e (S i) - sum_to r (S i)) in T1 by ring.
      assert (D := partial_sum_le q n (S i) Hi).
      assert (E1 := errors_le _ E i Hi). assert (E2 := sum_abs e (S i)).
      assert (R1 := sum_abs r (S i)).
      assert (R2 := sum_mono (fun j => Rabs (r j)) (S i) n (fun j => Rabs_pos (r j)) Hi).
      assert (I : INR i <= N - 1) by (generalize (le_INR _ _ Hi); rewrite S_INR; lra).
      rewrite G in E1.
      assert (E3 : INR i * (pow f * u) <= (N - 1) * (pow f * u)) by (apply Rmult_le_compat_r; [nra | easy]).
      assert (A : pow f * (1 - (N - 1) * u) <= v * (1 + 2 * u)) by lra.
      apply Rmult_le_reg_r with (1 + 2 * u); [lra|]. apply Rle_trans with (2 := A).
      assert (0 <= pow f * (u * u * (N + 1))) by (apply Rmult_le_pos; nra). lra. }
    rewrite G.
    replace (u * (pow f * u) * psi * (1 - (N + 1) * u)) with (u * u * psi * (pow f * (1 - (N + 1) * u))) by ring.
    replace (u * u * v * psi) with (u * u * psi * v) by ring.
    apply Rmult_le_compat_l; [nra | easy].
Qed.

Theorem dot2_error : Rabs (z - exact) <= u * Rabs exact + psi * (u * u) / (1 - (N + 2) * u) * v.
Proof.
assert (N1 := N_ge_1). assert (V := v_pos). assert (PSI := psi_pos). assert (L := lost_le_v).
assert (W2 : 0 < 1 - (N + 2) * u) by nra.
assert (E := nearest_error_relative _ _ (dot _ _ _ _ _ _ _ _ _ H)).
rewrite (sum_of_parts n (le_n n)) in E.
replace (exact - sum_to e n - sum_to r n + c n) with (exact + lost) in E by ring.
assert (T := Rabs_triang exact lost).
replace (z - exact) with ((z - (exact + lost)) + lost) by ring.
apply Rle_trans with (1 := Rabs_triang _ _).
apply Rle_trans with (u * Rabs exact + (1 + u) * Rabs lost); [nra|]. apply Rplus_le_compat_l.
apply Rmult_le_reg_r with (1 := W2).
replace (psi * (u * u) / (1 - (N + 2) * u) * v * (1 - (N + 2) * u)) with (u * u * v * psi) by (field; lra).
apply Rle_trans with (2 := L).
assert (A := Rabs_pos lost).
replace ((1 + u) * Rabs lost * (1 - (N + 2) * u)) with (Rabs lost * ((1 + u) * (1 - (N + 2) * u))) by ring.
apply Rmult_le_compat_l; [easy | nra].
Qed.

End Given.

End Dot.

Print Assumptions dot2_error.
