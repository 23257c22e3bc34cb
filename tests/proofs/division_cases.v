(* The cases of the proof of dw.div_fp2.2 (docs/bounds/dw.md). The lemmas have the names of the cases on the page. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core.
From assay Require Import nearest.

Open Scope R_scope.

(** * The inequalities at the end of the eight cases *)

(* e1, e2 and e3 are the errors of dl, d and tl. The error of the quotient, times y, is e1 + e2 + y e3. *)
Lemma sum_of_errors : forall y e1 e2 e3 b1 b2 b3, 0 <= y ->
  Rabs e1 <= b1 -> Rabs e2 <= b2 -> Rabs e3 <= b3 -> Rabs (e1 + e2 + y * e3) <= b1 + b2 + y * b3.
Proof.
intros y e1 e2 e3 b1 b2 b3 Hy H1 H2 H3.
apply Rle_trans with (1 := Rabs_triang _ _).
apply Rplus_le_compat.
- apply Rle_trans with (1 := Rabs_triang _ _). now apply Rplus_le_compat.
- rewrite Rabs_mult, (Rabs_pos_eq y) by easy. now apply Rmult_le_compat_l.
Qed.

Section Leaves.

Variables u x y e1 e2 e3 : R.
Hypothesis Hu : 0 < u <= 1 / 8.

Lemma leaf_1 : 1 + 2 * u <= y <= 2 - 2 * u -> 1 - u / 2 <= x ->
  Rabs e1 <= 0 -> Rabs e2 <= 0 -> Rabs e3 <= u * u / 2 -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
nra.
Qed.

Lemma leaf_2a : 1 + 2 * u <= y <= 2 - 2 * u -> y + u <= x ->
  Rabs e1 <= u * u -> Rabs e2 <= u * u -> Rabs e3 <= u * u -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra. nra.
Qed.

Lemma leaf_2b : 1 + 2 * u <= y <= 2 - 2 * u -> y + u <= x ->
  Rabs e1 <= (y - 1) * (u * u) -> Rabs e2 <= 2 * (u * u) -> Rabs e3 <= u * u ->
  Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra. nra.
Qed.

(* Cases 3a and 3b have the same errors. *)
Lemma leaf_3a : 1 + 2 * u <= y <= 2 - 2 * u -> 1 - u / 2 <= x ->
  Rabs e1 <= u * u -> Rabs e2 <= 0 -> Rabs e3 <= u * u -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra. nra.
Qed.

Lemma leaf_3b : 1 + 2 * u <= y <= 2 - 2 * u -> 1 - u / 2 <= x ->
  Rabs e1 <= u * u -> Rabs e2 <= 0 -> Rabs e3 <= u * u -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof. exact leaf_3a. Qed.

Lemma leaf_3c : 1 + 2 * u <= y <= 2 - 2 * u -> 1 - u / 2 <= x ->
  Rabs e1 <= u * u / 2 -> Rabs e2 <= u * u / 2 -> Rabs e3 <= u * u / 2 -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra. nra.
Qed.

Lemma leaf_3d : 1 + 2 * u <= y <= 2 - 2 * u -> 1 < x ->
  Rabs e1 <= 0 -> Rabs e2 <= u * u -> Rabs e3 <= u * u -> Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 H3.
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3).
assert (0 < u * u) by nra. nra.
Qed.

Lemma leaf_3e : 1 + 2 * u <= y <= 2 - 2 * u -> 1 < x ->
  Rabs e1 <= u * u / 4 -> Rabs e2 <= u * u -> (3 / 2 <= y /\ Rabs e3 <= u * u / 2 \/ y < 3 / 2 /\ Rabs e3 <= u * u) ->
  Rabs (e1 + e2 + y * e3) < 3 * (u * u) * x.
Proof.
intros Hy Hx H1 H2 [[H H3] | [H H3]];
apply Rle_lt_trans with (1 := sum_of_errors y e1 e2 e3 _ _ _ ltac:(lra) H1 H2 H3);
assert (0 < u * u) by nra; nra.
Qed.

End Leaves.

Section Cases.

Context {p : Z} {Hp : Precision p}.

Let p_3 : (3 <= p)%Z := Hp.

Notation format := (generic_format radix2 (FLX_exp p)).
Notation u := (unit_roundoff p).
Notation nearest := (nearest_number p).

(** * The quotient of scaled operands *)

Section Scaled.

Variables xh xl y : R.
Hypothesis Fxh : format xh.
Hypothesis Fxl : format xl.
Hypothesis Fy : format y.
Hypothesis Hxh : 1 <= xh < 2.
Hypothesis Hy12 : 1 < y < 2.
Hypothesis Hxl : Rabs xl <= u.
Hypothesis Hxl_1 : xh = 1 -> - (u / 2) <= xl.

Let x := xh + xl.
Variables th ph dl d tl : R.
Let pl := th * y - ph.
Let dh := xh - ph.
Let a := xl - pl.
Hypothesis Nth : nearest (xh / y) th.
Hypothesis Nph : nearest (th * y) ph.
Hypothesis Ndl : nearest a dl.
Hypothesis Nd : nearest (dh + dl) d.
Hypothesis Ntl : nearest (d / y) tl.

(* The claim on the error; what makes dh exact; what makes the last FastTwoSum exact. *)
Let claim := Rabs ((dl - a) + (d - (dh + dl)) + y * (tl - d / y)) < 3 * (u * u) * x
             /\ format dh /\ Rabs (d / y) <= 2 * u.

Lemma y_range : 1 + 2 * u <= y <= 2 - 2 * u.
Proof.
split.
- apply step_2u; [apply multiple_1; lia | apply multiple_2u; [easy | lra] | easy].
- apply below_2; [easy | lra].
Qed.

Lemma xl_range : - u <= xl <= u.
Proof. now apply Rabs_le_inv. Qed.

Lemma x_range : 1 - u / 2 <= x.
Proof.
assert (Hu := u_bounds). generalize xl_range Hxl_1. unfold x. intros H H1.
destruct (Req_dec xh 1) as [E | N]; [generalize (H1 E); lra|].
cut (1 + 2 * u <= xh); [lra|].
apply step_2u; [apply multiple_1; lia | apply multiple_2u; easy | lra].
Qed.

Lemma case_1 : xh = y -> claim.
Proof.
intros E. assert (Hu := u_bounds). assert (Hy := y_range).
assert (Eth : th = 1).
{ assert (E1 : xh / y = 1) by (rewrite E; field; lra).
  rewrite <- E1. apply (nearest_id _ _ Nth). rewrite E1. now apply (format_int 1). }
assert (Eph : ph = y) by (generalize (nearest_id _ _ Nph); rewrite Eth, Rmult_1_l; auto).
assert (Edh : dh = 0) by (unfold dh; lra).
assert (Ea : a = xl) by (unfold a, pl; rewrite Eth, Eph; ring).
assert (Edl : dl = xl) by (generalize (nearest_id _ _ Ndl); rewrite Ea; auto).
assert (Ed : d = xl) by (generalize (nearest_id _ _ Nd); rewrite Edh, Edl, Rplus_0_l; auto).
assert (Q : Rabs (d / y) <= u) by (apply abs_quotient_le; rewrite ?Ed; [lra | nra]).
split; [|split].
- apply leaf_1; try easy; [exact x_range | | | now apply nearest_error_u].
  + rewrite Edl, Ea, Rminus_diag_eq, Rabs_R0 by easy. lra.
  + rewrite Ed, Edh, Edl, Rminus_diag_eq, Rabs_R0 by ring. lra.
- rewrite Edh. now apply (format_int 0).
- lra.
Qed.

Section Case_2.

Hypothesis Hgt : y < xh.

Lemma case_2_facts : y + u <= x /\ Rabs (xh - th * y) <= u * y /\ Rabs pl <= u /\ multiple (1 - p) dh
                     /\ Rabs dh < 3 * u.
Proof.
assert (Hu := u_bounds). assert (Hy := y_range). assert (Hl := xl_range).
assert (Hxy : y + 2 * u <= xh).
{ apply step_2u; [apply multiple_2u; [easy | lra] | apply multiple_2u; easy | easy]. }
assert (Hx2 : xh <= 2 - 2 * u) by (apply below_2; easy).
assert (Hq1 : 1 <= xh / y).
{ apply Rmult_le_reg_r with y; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
assert (Hq : xh / y * y = xh) by (field; lra).
assert (Hq2 : xh / y <= 2) by nra.
assert (Hth1 : 1 <= th) by (apply (nearest_ge _ _ _ Nth); [now apply (format_int 1) | easy]).
assert (He : Rabs (th - xh / y) <= u) by (apply (nearest_error_2 _ _ Nth); rewrite Rabs_pos_eq; lra).
assert (Hr : Rabs (xh - th * y) <= u * y).
{ rewrite <- Hq at 1. rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_pos_eq y), Rabs_minus_sym by lra.
  apply Rmult_le_compat_r; lra. }
assert (Hr2 := Rabs_le_inv _ _ Hr).
assert (Hty : 1 <= th * y < 2) by nra.
assert (Hph : 1 <= ph) by (apply (nearest_ge _ _ _ Nph); [now apply (format_int 1) | easy]).
assert (Hpl : Rabs pl <= u).
{ unfold pl. rewrite Rabs_minus_sym. apply (nearest_error_2 _ _ Nph). rewrite Rabs_pos_eq; lra. }
assert (Hpl2 := Rabs_le_inv _ _ Hpl).
split; [unfold x; lra|]. split; [easy|]. split; [easy|]. split.
- apply multiple_minus; apply multiple_2u; try easy. apply (nearest_format _ _ Nph).
- apply Rabs_lt. replace dh with (xh - th * y + pl) by (unfold dh, pl; ring).
  assert (0 < u * (2 - y)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma case_2_dh : dh = 0 \/ dh = 2 * u \/ dh = - (2 * u).
Proof.
assert (Hu := u_bounds). destruct case_2_facts as (_ & _ & _ & Hm & Hd).
destruct (multiple_small (1 - p) dh 2 Hm) as [m [Em Hm2]]; [rewrite pow_1p; lra|].
rewrite pow_1p in Em.
assert (Hc : m = 0%Z \/ m = 1%Z \/ m = (-1)%Z) by lia.
destruct Hc as [-> | [-> | ->]]; lra.
Qed.

Lemma case_2_dh_format : format dh.
Proof.
destruct case_2_dh as [-> | [-> | ->]].
- now apply (format_int 0).
- now apply (format_u 2).
- replace (- (2 * u)) with (-2 * u) by ring. now apply (format_u (-2)).
Qed.

Lemma case_2_a : Rabs a <= 2 * u.
Proof.
destruct case_2_facts as (_ & _ & Hpl & _). apply Rabs_le_inv in Hpl. assert (Hl := xl_range).
apply Rabs_le. unfold a. lra.
Qed.

Lemma case_2a : Rabs (dh + dl) <= 2 * u -> claim.
Proof.
intros H. assert (Hu := u_bounds). assert (Hy := y_range). destruct case_2_facts as (Hx & _).
assert (Hd : Rabs d <= 2 * u) by (apply (nearest_abs_le _ _ _ Nd); [now apply (format_u 2) | easy]).
assert (Q : Rabs (d / y) <= 2 * u) by (apply abs_quotient_le; [lra | nra]).
split; [|split].
- apply leaf_2a; try easy.
  + apply (nearest_error_2u _ _ Ndl). exact case_2_a.
  + now apply nearest_error_2u.
  + now apply nearest_error_2u.
- exact case_2_dh_format.
- exact Q.
Qed.

Lemma case_2b : 2 * u < Rabs (dh + dl) -> claim.
Proof.
intros H. assert (Hu := u_bounds). assert (Hy := y_range). destruct case_2_facts as (Hx & Hr & Hpl & _).
assert (Hl := xl_range). apply Rabs_le_inv in Hr.
assert (Hdl : Rabs dl <= 2 * u) by (apply (nearest_abs_le _ _ _ Ndl); [now apply (format_u 2) | exact case_2_a]).
assert (Fn : format (u * (y - 1))).
{ apply format_of_multiple with (- p + (1 - p))%Z.
  - apply multiple_mult; [exists 1%Z; unfold unit_roundoff; ring|].
    apply multiple_minus; [apply multiple_2u; [easy | lra] | apply multiple_1; lia].
  - replace (- p + (1 - p) + p)%Z with (1 - p)%Z by ring. rewrite pow_1p, Rabs_pos_eq; nra. }
assert (Ha : Rabs a <= u * (y - 1)).
{ assert (Ea : a = xh - th * y + xl - dh) by (unfold a, dh, pl; ring).
  destruct case_2_dh as [E | [E | E]].
  - exfalso. rewrite E, Rplus_0_l in H. lra.
  - assert (0 < dl).
    { apply Rabs_le_inv in Hdl. revert H. unfold Rabs. destruct (Rcase_abs (dh + dl)); lra. }
    assert (0 < a).
    { apply Rnot_le_lt. intros Hn. apply (nearest_le _ _ _ Ndl) in Hn; [lra | now apply (format_int 0)]. }
    rewrite Rabs_pos_eq by lra. nra.
  - assert (dl < 0).
    { apply Rabs_le_inv in Hdl. revert H. unfold Rabs. destruct (Rcase_abs (dh + dl)); lra. }
    assert (a < 0).
    { apply Rnot_le_lt. intros Hn. apply (nearest_ge _ _ _ Ndl) in Hn; [lra | now apply (format_int 0)]. }
    rewrite Rabs_left by lra. nra. }
assert (Hdl2 : Rabs dl <= u * (y - 1)) by (apply (nearest_abs_le _ _ _ Ndl); easy).
assert (Hs : Rabs (dh + dl) <= 2 * u + u * (y - 1)).
{ apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat; [|easy].
  destruct case_2_dh as [-> | [-> | ->]]; rewrite ?Rabs_R0, ?Rabs_Ropp, ?Rabs_pos_eq; lra. }
assert (He2 : Rabs (d - (dh + dl)) <= 2 * (u * u)) by (apply (nearest_error_4u _ _ Nd); nra).
assert (Hd : Rabs d <= 2 * u * y).
{ replace d with (d - (dh + dl) + (dh + dl)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  assert (0 <= u * (y - 1 - 2 * u)) by (apply Rmult_le_pos; lra). lra. }
assert (Q : Rabs (d / y) <= 2 * u) by (apply abs_quotient_le; [lra | easy]).
split; [|split].
- apply leaf_2b; try easy.
  + apply Rle_trans with (1 := nearest_error_relative _ _ Ndl). nra.
  + now apply nearest_error_2u.
- exact case_2_dh_format.
- exact Q.
Qed.

End Case_2.

Section Case_3.

Hypothesis Hlt : xh < y.

Lemma case_3_facts : 1 / 2 <= th <= 1 - u /\ Rabs (xh - th * y) <= u * y / 2.
Proof.
assert (Hu := u_bounds). assert (Hy := y_range).
assert (Hxy : xh + 2 * u <= y).
{ apply step_2u; [apply multiple_2u; easy | apply multiple_2u; [easy | lra] | easy]. }
assert (Hq : xh / y * y = xh) by (field; lra).
assert (Hq1 : 1 / 2 <= xh / y) by nra.
assert (Hq2 : xh / y <= 1 - u) by nra.
assert (Hth1 : 1 / 2 <= th).
{ apply (nearest_ge _ _ _ Nth); [|easy]. rewrite <- pow_m1, <- (Rmult_1_l (pow (-1))). now apply (format_small 1). }
assert (Hth2 : th <= 1 - u) by (apply (nearest_le _ _ _ Nth); [exact format_1_minus_u | easy]).
assert (He : Rabs (th - xh / y) <= u / 2) by (apply (nearest_error_1 _ _ Nth); rewrite Rabs_pos_eq; lra).
split; [easy|].
rewrite <- Hq at 1. rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_pos_eq y), Rabs_minus_sym by lra.
nra.
Qed.

(* The cases with dh = 0: d = dl has no error. *)
Lemma case_3_dh_0 : dh = 0 -> Rabs pl <= u -> claim.
Proof.
intros E Hpl. assert (Hu := u_bounds). assert (Hy := y_range). assert (Hl := xl_range). assert (Hx := x_range).
apply Rabs_le_inv in Hpl.
assert (Ha : Rabs a <= 2 * u) by (apply Rabs_le; unfold a; lra).
assert (Hdl : Rabs dl <= 2 * u) by (apply (nearest_abs_le _ _ _ Ndl); [now apply (format_u 2) | easy]).
assert (Ed : d = dl) by (generalize (nearest_id _ _ Nd); rewrite E, Rplus_0_l; intros H; apply H, (nearest_format _ _ Ndl)).
assert (Q : Rabs (d / y) <= 2 * u) by (apply abs_quotient_le; rewrite ?Ed; [lra | nra]).
split; [|split].
- apply leaf_3a; try easy.
  + now apply nearest_error_2u.
  + rewrite Ed, E, Rminus_diag_eq, Rabs_R0 by ring. lra.
  + now apply nearest_error_2u.
- rewrite E. now apply (format_int 0).
- exact Q.
Qed.

Lemma case_3a : 1 <= th * y -> claim.
Proof.
intros H. assert (Hu := u_bounds). assert (Hy := y_range). destruct case_3_facts as (Hth & Hr).
apply Rabs_le_inv in Hr.
assert (Hty : th * y <= 2) by nra.
assert (Hph : 1 <= ph) by (apply (nearest_ge _ _ _ Nph); [now apply (format_int 1) | easy]).
assert (Hpl : Rabs pl <= u).
{ unfold pl. rewrite Rabs_minus_sym. apply (nearest_error_2 _ _ Nph). rewrite Rabs_pos_eq; lra. }
apply case_3_dh_0; [|easy]. apply Rabs_le_inv in Hpl.
assert (Hm : multiple (1 - p) dh) by (apply multiple_minus; apply multiple_2u; try easy; apply (nearest_format _ _ Nph)).
destruct (multiple_small (1 - p) dh 1 Hm) as [m [Em Hm1]].
- rewrite pow_1p. apply Rabs_lt. replace dh with (xh - th * y + pl) by (unfold dh, pl; ring). nra.
- rewrite Em. replace m with 0%Z by lia. ring.
Qed.

Section Product_below_1.

Hypothesis Hty : th * y < 1.

Lemma case_3_below_1 : xh = 1 /\ Rabs pl <= u / 2 /\ (ph = 1 \/ ph = 1 - u /\ 0 <= pl).
Proof.
assert (Hu := u_bounds). assert (Hy := y_range). destruct case_3_facts as (Hth & Hr).
apply Rabs_le_inv in Hr.
assert (Exh : xh = 1).
{ apply Rle_antisym; [|easy]. apply Rnot_lt_le. intros H.
  apply (step_2u (p := p)) in H; [nra | apply multiple_1; lia | apply multiple_2u; easy]. }
assert (Hty1 : 1 - u <= th * y) by nra.
assert (Hph1 : 1 - u <= ph) by (apply (nearest_ge _ _ _ Nph); [exact format_1_minus_u | easy]).
assert (Hph2 : ph <= 1) by (apply (nearest_le _ _ _ Nph); [now apply (format_int 1) | lra]).
split; [easy|]. split.
- unfold pl. rewrite Rabs_minus_sym. apply (nearest_error_1 _ _ Nph). rewrite Rabs_pos_eq; lra.
- destruct Hph2 as [Hph2 | E]; [right | now left].
  apply (step_u (p := p)) in Hph2; [|apply multiple_u; [apply (nearest_format _ _ Nph) | lra] | apply multiple_1; lia].
  assert (E : ph = 1 - u) by lra. split; [easy|]. unfold pl. lra.
Qed.

Lemma case_3b : ph = 1 -> claim.
Proof.
intros E. destruct case_3_below_1 as (Exh & Hpl & _). assert (Hu := u_bounds).
apply case_3_dh_0; [unfold dh; lra | lra].
Qed.

Section Product_rounds_down.

Hypothesis Eph : ph = 1 - u.

Lemma case_3_down : xh = 1 /\ dh = u /\ 0 <= pl <= u / 2.
Proof.
assert (Hu := u_bounds). destruct case_3_below_1 as (Exh & Hpl & H). apply Rabs_le_inv in Hpl.
split; [easy|]. split; [unfold dh; lra|].
destruct H as [H | [_ H]]; lra.
Qed.

Lemma dh_format_u : format dh.
Proof. destruct case_3_down as (_ & -> & _). rewrite <- (Rmult_1_l u). now apply (format_u 1). Qed.

Lemma case_3c : a <= 0 -> claim.
Proof.
intros H. assert (Hu := u_bounds). assert (Hy := y_range). destruct case_3_down as (Exh & Edh & Hpl).
assert (Hl := xl_range). assert (Hx := x_range). generalize (Hxl_1 Exh). intros Hl1.
assert (Fu : format u) by (rewrite <- (Rmult_1_l u); now apply (format_u 1)).
assert (F0 : format 0) by now apply (format_int 0).
assert (Ha : Rabs a <= u) by (apply Rabs_le; unfold a in *; lra).
assert (Hdl1 : Rabs dl <= u) by (apply (nearest_abs_le _ _ _ Ndl); easy).
assert (Hdl2 : dl <= 0) by (apply (nearest_le _ _ _ Ndl); easy).
apply Rabs_le_inv in Hdl1.
assert (Hs : 0 <= dh + dl <= u) by lra.
assert (Hd1 : 0 <= d) by (apply (nearest_ge _ _ _ Nd); easy).
assert (Hd2 : d <= u) by (apply (nearest_le _ _ _ Nd); easy).
assert (Q : Rabs (d / y) <= u) by (apply abs_quotient_le; [lra | rewrite Rabs_pos_eq; nra]).
split; [|split].
- apply leaf_3c; try easy.
  + now apply nearest_error_u.
  + apply (nearest_error_u _ _ Nd). rewrite Rabs_pos_eq; lra.
  + now apply nearest_error_u.
- exact dh_format_u.
- lra.
Qed.

(* The lattice of the case: xl and th y are multiples of u^2, so a is, and a is less than u. *)
Lemma case_3d : 0 < a -> u / 2 <= xl -> claim.
Proof.
intros H Hxl2. assert (Hu := u_bounds). assert (Hy := y_range). destruct case_3_down as (Exh & Edh & Hpl).
assert (Hl := xl_range). destruct case_3_facts as (Hth & _).
assert (Mxl : multiple (- p - p) xl).
{ replace (- p - p)%Z with (- 1 - p + 1 - p)%Z by ring. apply multiple_of_format; [easy|].
  rewrite pow_m1p, Rabs_pos_eq; lra. }
assert (Mpl : multiple (- p - p) pl).
{ unfold pl. apply multiple_minus.
  - apply multiple_below with (- p + (1 - p))%Z; [lia|].
    apply multiple_mult; [apply multiple_u; [apply (nearest_format _ _ Nth) | easy] | apply multiple_2u; [easy | lra]].
  - rewrite Eph. apply multiple_below with (- p)%Z; [lia|].
    apply multiple_u; [exact format_1_minus_u | lra]. }
assert (Hx : 1 < x) by (unfold x, a in *; lra).
assert (Hau : a <= u) by (unfold a; lra).
assert (Fu : format u) by (rewrite <- (Rmult_1_l u); now apply (format_u 1)).
assert (Edl : dl = a).
{ apply (nearest_id _ _ Ndl). destruct Hau as [Hau | ->]; [|easy].
  apply lattice; [now apply multiple_minus | rewrite Rabs_pos_eq; lra]. }
assert (Hs : Rabs (dh + dl) <= 2 * u) by (rewrite Rabs_pos_eq; lra).
assert (Hd : Rabs d <= 2 * u) by (apply (nearest_abs_le _ _ _ Nd); [now apply (format_u 2) | easy]).
assert (Q : Rabs (d / y) <= 2 * u) by (apply abs_quotient_le; [lra | nra]).
split; [|split].
- apply leaf_3d; try easy.
  + rewrite Edl, Rminus_diag_eq, Rabs_R0 by easy. lra.
  + now apply nearest_error_2u.
  + now apply nearest_error_2u.
- exact dh_format_u.
- exact Q.
Qed.

Lemma case_3e : 0 < a -> xl < u / 2 -> claim.
Proof.
intros H Hxl2. assert (Hu := u_bounds). assert (Hy := y_range). destruct case_3_down as (Exh & Edh & Hpl).
assert (Hx : 1 < x) by (unfold x, a in *; lra).
assert (Ha : Rabs a <= u / 2) by (rewrite Rabs_pos_eq; unfold a in *; lra).
assert (Fh : format (u / 2)).
{ rewrite <- pow_m1p, <- (Rmult_1_l (pow _)). now apply (format_small 1). }
assert (F3 : format (3 * u / 2)).
{ replace (3 * u / 2) with (3 * pow (- 1 - p)) by (rewrite pow_m1p; lra). now apply (format_small 3). }
assert (Hdl : Rabs dl <= u / 2) by (apply (nearest_abs_le _ _ _ Ndl); easy).
assert (Hs : Rabs (dh + dl) <= 3 * u / 2).
{ apply Rabs_le_inv in Hdl. apply Rabs_le. lra. }
assert (Hd : Rabs d <= 3 * u / 2) by (apply (nearest_abs_le _ _ _ Nd); easy).
split; [|split].
- apply leaf_3e; try easy.
  + now apply nearest_error_half_u.
  + apply (nearest_error_2u _ _ Nd). lra.
  + destruct (Rle_or_lt (3 / 2) y) as [H3 | H3].
    * left. split; [easy|]. apply (nearest_error_u _ _ Ntl). apply abs_quotient_le; [lra | nra].
    * right. split; [easy|]. apply (nearest_error_2u _ _ Ntl). apply abs_quotient_le; [lra | nra].
- exact dh_format_u.
- apply abs_quotient_le; [lra | nra].
Qed.

End Product_rounds_down.

End Product_below_1.

End Case_3.

Lemma scaled : claim.
Proof.
destruct (Rtotal_order xh y) as [H | [H | H]].
- destruct (Rle_or_lt 1 (th * y)) as [H1 | H1]; [now apply case_3a|].
  destruct (case_3_below_1 H H1) as (_ & _ & [E | [E _]]); [now apply case_3b|].
  destruct (Rle_or_lt a 0) as [Ha | Ha]; [now apply case_3c|].
  destruct (Rle_or_lt (u / 2) xl) as [Hl | Hl]; [now apply case_3d | now apply case_3e].
- now apply case_1.
- destruct (Rle_or_lt (Rabs (dh + dl)) (2 * u)) as [Hs | Hs]; [now apply case_2a | now apply case_2b].
Qed.

End Scaled.

End Cases.
