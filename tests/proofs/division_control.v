(* Control: Coq must refuse the second lemma. It is case 3a of dw.div_fp2.2 with 29/10 in place of 3. The first lemma shows
   that the same proof is right for 3. *)

From Coq Require Import Reals Lra Psatz.
From assay Require Import division_cases.

Open Scope R_scope.

Lemma case_with_3 : forall u x y e1 e2 e3, 0 < u <= 1 / 8 -> 1 + 2 * u <= y <= 2 - 2 * u -> 1 - u / 2 <= x ->
  Rabs e1 <= u * u -> Rabs e2 <= 0 -> Rabs e3 <= u * u -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros u x y e1 e2 e3 Hu Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra.
nra.
Qed.

Lemma case_with_29_10 : forall u x y e1 e2 e3, 0 < u <= 1 / 8 -> 1 + 2 * u <= y <= 2 - 2 * u -> 1 - u / 2 <= x ->
  Rabs e1 <= u * u -> Rabs e2 <= 0 -> Rabs e3 <= u * u -> Rabs (e1 + e2 + y * e3) < 29 / 10 * (u * u) * x.
Proof.
intros u x y e1 e2 e3 Hu Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra.
nra.
Qed.
