(* Control: Coq must refuse the second lemma, which is quotient_by_reciprocal with 2u in place of 2u + u^2. The first lemma
   shows that the same proof is right for 2u + u^2. *)

From Coq Require Import ZArith Reals Lra.
From Flocq Require Import Core.
From assay Require Import nearest formula_rules.

Open Scope R_scope.

Section Control.

Context {p : Z} {Hp : Precision p}.

Notation u := (unit_roundoff p).

Variables (emin : Z) (a b r q : R).
Hypothesis divisor : b <> 0.
Hypothesis reciprocal : rounds (p := p) emin (1 / b) r.
Hypothesis quotient : rounds (p := p) emin (a * r) q.

Lemma error_with_u_squared :
  Rabs (q - a / b) <= (2 * u + u * u) * Rabs (a / b) + bpow radix2 emin * (1 + Rabs a).
Proof. assert (E := quotient_by_reciprocal emin a b r q divisor reciprocal quotient). lra. Qed.

Lemma error_without_u_squared :
  Rabs (q - a / b) <= 2 * u * Rabs (a / b) + bpow radix2 emin * (1 + Rabs a).
Proof. assert (E := quotient_by_reciprocal emin a b r q divisor reciprocal quotient). lra. Qed.

End Control.
