(* Control: the check of axioms must refuse this theorem, whose proof is left out. *)

From assay Require Import division.

Theorem planted : forall n : nat, n = 0.
Admitted.

Theorem from_planted : 1 = 0.
Proof. exact (planted 1). Qed.

Print Assumptions from_planted.
