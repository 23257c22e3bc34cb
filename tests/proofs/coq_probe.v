(* Compiles where Coq has Flocq. *)
From Flocq Require Core.
