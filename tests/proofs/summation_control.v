(* Control: Coq must refuse the second lemma. It is the last but one step of sum2_error with phi (m - 2) in place of
   phi (m - 1). The first lemma shows that the same proof is right for phi (m - 1). *)

From Coq Require Import ZArith Reals Lra Lia.
From Flocq Require Import Core.
From assay Require Import nearest summation.

Open Scope R_scope.

Section Control.

Context {p : Z} {Hp : Precision p}.

Notation u := (unit_roundoff p).

Variables (m : nat) (x s e c : nat -> R) (r : R) (f : Z).
Hypothesis H : sum2 (p := p) m x s e c r.
Hypothesis nu : (INR m + 1) * u < 1.
Hypothesis some : (1 <= m)%nat.
Hypothesis below : forall i, (i <= m)%nat -> Rabs (s i) < bpow radix2 (f + 1).

Lemma error_with_m_minus_1 :
  Rabs (r - sum_to x m) <= u * Rabs (sum_to x m) + (1 + u) * (u * bpow radix2 (f - p) * IZR (phi (m - 1))).
Proof.
apply (error_of_result m x s e c r H).
assert (E := lost_by_errors m x s e c r H nu f below (m - 1)). replace (S (m - 1)) with m in E by lia.
specialize (E (le_n m)). lra.
Qed.

Lemma error_with_m_minus_2 :
  Rabs (r - sum_to x m) <= u * Rabs (sum_to x m) + (1 + u) * (u * bpow radix2 (f - p) * IZR (phi (m - 2))).
Proof.
apply (error_of_result m x s e c r H).
assert (E := lost_by_errors m x s e c r H nu f below (m - 1)). replace (S (m - 1)) with m in E by lia.
specialize (E (le_n m)). lra.
Qed.

End Control.
