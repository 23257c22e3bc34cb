(* Local rules of docs/bounds/formula.md that are arithmetic on real numbers: formula.round.1, quotient.1, sum.1, dot.1,
   store.1, root.1, move.1, sign.1, and steps of function.1. The precision is any p >= 3, the smallest positive number is any power eta of two,
   and underflow is gradual. Nothing overflows. Each operation resolves its ties as it likes. *)

From Coq Require Import ZArith Reals Lra Lia Psatz.
From Flocq Require Import Core Relative Plus_error.
From assay Require Import nearest.

Open Scope R_scope.

Section Rules.

Context {p : Z} {Hp : Precision p}.
Variable emin : Z.

Let p_3 : (3 <= p)%Z := Hp.

Notation format := (generic_format radix2 (FLT_exp emin p)).
Notation u := (unit_roundoff p).
Notation eta := (bpow radix2 emin).

(* f is a number of the format that is nearest to t. Of two such numbers it may be either one. *)
Definition rounds (t f : R) := Rnd_N_pt format t f.

Lemma eta_pos : 0 < eta.
Proof. apply bpow_gt_0. Qed.

Lemma is_format : forall t f, rounds t f -> format f.
Proof. now intros t f [F _]. Qed.

Lemma to_nearest : forall t, rounds t (round radix2 (FLT_exp emin p) (Znearest (fun _ => true)) t).
Proof. intros t. apply round_N_pt. apply FLT_exp_valid. exact p_gt_0. Qed.

Lemma nearest_is_best : forall t f g, rounds t f -> rounds t g -> Rabs (f - t) <= Rabs (g - t).
Proof. intros t f g [_ N] [G _]. exact (N g G). Qed.

(** * formula.round.1 *)

Theorem product_error : forall t f, rounds t f -> Rabs (f - t) <= u * Rabs t + eta / 2.
Proof.
intros t f N.
apply Rle_trans with (1 := nearest_is_best t f _ N (to_nearest t)).
destruct (error_N_FLT radix2 emin p p_gt_0 (fun _ => true) t) as (e & d & He & Hd & _ & ->).
replace (t * (1 + e) + d - t) with (t * e + d) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_mult.
replace (/ 2 * bpow radix2 (- p + 1)) with u in He.
- generalize (Rabs_pos t). nra.
- unfold unit_roundoff. rewrite bpow_plus, pow_1. field.
Qed.

Theorem sum_error : forall x y f, format x -> format y -> rounds (x + y) f -> Rabs (f - (x + y)) <= u * Rabs (x + y).
Proof.
intros x y f Fx Fy N.
apply Rle_trans with (1 := nearest_is_best _ f _ N (to_nearest _)).
destruct (FLT_plus_error_N_ex radix2 emin p (fun _ => true) x y Fx Fy) as (e & He & ->).
replace ((x + y) * (1 + e) - (x + y)) with (e * (x + y)) by ring.
rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
apply Rle_trans with (1 := He).
assert (U := u_bounds (p := p)).
replace (u_ro radix2 p) with u.
- apply Rmult_le_reg_r with (1 + u); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
- unfold u_ro, unit_roundoff. rewrite bpow_plus, pow_1. field.
Qed.

(** * formula.quotient.1 *)

Theorem quotient_by_reciprocal : forall a b r q, b <> 0 -> rounds (1 / b) r -> rounds (a * r) q ->
  Rabs (q - a / b) <= ((1 + u) * (1 + u) - 1) * Rabs (a / b) + eta * (1 + Rabs a).
Proof.
intros a b r q Hb R Q.
assert (U := u_bounds (p := p)). assert (E := eta_pos).
assert (D := product_error _ _ R). assert (F := product_error _ _ Q).
assert (A := Rabs_pos a). assert (B : a * (1 / b) = a / b) by (field; easy).
assert (G : Rabs (a * r - a / b) <= u * Rabs (a / b) + Rabs a * (eta / 2)).
{ rewrite <- B. replace (a * r - a * (1 / b)) with (a * (r - 1 / b)) by ring.
  rewrite 2 Rabs_mult. apply Rle_trans with (Rabs a * (u * Rabs (1 / b) + eta / 2)); [|right; ring].
  now apply Rmult_le_compat_l. }
assert (H : Rabs (a * r) <= Rabs (a / b) + Rabs (a * r - a / b)).
{ replace (a * r) with (a / b + (a * r - a / b)) at 1 by ring. apply Rabs_triang. }
replace (q - a / b) with ((q - a * r) + (a * r - a / b)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _).
assert (0 <= Rabs a * eta) by (apply Rmult_le_pos; lra).
assert (u * Rabs (a * r) <= u * (Rabs (a / b) + (u * Rabs (a / b) + Rabs a * (eta / 2)))).
{ apply Rmult_le_compat_l; lra. }
assert (u * (Rabs a * eta) <= Rabs a * eta) by nra. lra.
Qed.

Theorem quotient_propagates : forall a b a' b' ea eb, Rabs (a' - a) <= ea -> Rabs (b' - b) <= eb -> eb < Rabs b ->
  Rabs (a' / b' - a / b) <= (ea + Rabs (a / b) * eb) / (Rabs b - eb).
Proof.
intros a b a' b' ea eb HA HB H.
assert (NB : b <> 0) by (intros ->; rewrite Rabs_R0 in H; generalize (Rabs_pos (b' - 0)); lra).
assert (L : Rabs b - eb <= Rabs b').
{ generalize (Rabs_triang_inv b b'). rewrite (Rabs_minus_sym b b'). intros. lra. }
assert (NB' : b' <> 0) by (intros ->; rewrite Rabs_R0 in L; lra).
replace (a' / b' - a / b) with (((a' - a) - a / b * (b' - b)) / b') by (field; easy).
unfold Rdiv at 1. rewrite Rabs_mult, Rabs_inv.
apply Rmult_le_compat; [apply Rabs_pos | apply Rlt_le, Rinv_0_lt_compat, Rabs_pos_lt; easy | |].
- apply Rle_trans with (1 := Rabs_triang _ _). rewrite Rabs_Ropp, Rabs_mult.
  generalize (Rabs_pos (a / b)). nra.
- apply Rinv_le; lra.
Qed.

(** * formula.forward.1 for a product *)

Theorem product_propagates : forall a b a' b' ea eb, Rabs (a' - a) <= ea -> Rabs (b' - b) <= eb ->
  Rabs (a' * b' - a * b) <= ea * Rabs b + Rabs a * eb + ea * eb.
Proof.
intros a b a' b' ea eb HA HB.
replace (a' * b' - a * b) with ((a' - a) * b + a * (b' - b) + (a' - a) * (b' - b)) by ring.
apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat.
- apply Rle_trans with (1 := Rabs_triang _ _). rewrite 2 Rabs_mult.
  generalize (Rabs_pos a) (Rabs_pos b). nra.
- rewrite Rabs_mult. apply Rmult_le_compat; try easy; apply Rabs_pos.
Qed.

(** * formula.sum.1: an order of additions is a tree *)

Inductive sum :=
  | term (x : R)
  | plus (s t : sum).

Fixpoint value (t : sum) : R := match t with term x => x | plus s t => value s + value t end.
Fixpoint magnitudes (t : sum) : R := match t with term x => Rabs x | plus s t => magnitudes s + magnitudes t end.
Fixpoint terms (t : sum) : nat := match t with term _ => 1 | plus s t => terms s + terms t end.
Fixpoint height (t : sum) : nat := match t with term _ => 0 | plus s t => S (Nat.max (height s) (height t)) end.

Inductive computes : sum -> R -> Prop :=
  | computes_term : forall x, format x -> computes (term x) x
  | computes_plus : forall s t a b r, computes s a -> computes t b -> rounds (a + b) r -> computes (plus s t) r.

Lemma computes_format : forall t r, computes t r -> format r.
Proof. intros t r H. destruct H as [x F | s t a b r _ _ R]; [easy | exact (is_format _ _ R)]. Qed.

Lemma magnitudes_nonneg : forall t, 0 <= magnitudes t.
Proof. induction t as [x | s Hs t Ht]; simpl; [apply Rabs_pos | lra]. Qed.

Lemma value_le : forall t, Rabs (value t) <= magnitudes t.
Proof. induction t as [x | s Hs t Ht]; simpl; [lra|]. apply Rle_trans with (1 := Rabs_triang _ _). lra. Qed.

Lemma terms_pos : forall t, 1 <= INR (terms t).
Proof. intros t. apply (le_INR 1). induction t; simpl; lia. Qed.

Lemma power_grows : forall m n, (m <= n)%nat -> 1 <= (1 + u) ^ m <= (1 + u) ^ n.
Proof.
intros m n H. assert (U := u_bounds (p := p)). split.
- apply pow_R1_Rle. lra.
- apply Rle_pow; [lra | easy].
Qed.

Theorem sum_of_height : forall t r, computes t r ->
  Rabs (r - value t) <= ((1 + u) ^ height t - 1) * magnitudes t.
Proof.
intros t r H. induction H as [x F | s t a b r Hs Es Ht Et R]; simpl.
- rewrite Rminus_diag_eq, Rabs_R0 by easy. lra.
- assert (U := u_bounds (p := p)).
  assert (D := sum_error a b r (computes_format _ _ Hs) (computes_format _ _ Ht) R).
  set (h := Nat.max (height s) (height t)).
  assert (P := power_grows (height s) h (Nat.le_max_l _ _)). assert (Q := power_grows (height t) h (Nat.le_max_r _ _)).
  assert (M := magnitudes_nonneg s). assert (N := magnitudes_nonneg t).
  assert (V := value_le s). assert (W := value_le t).
  assert (E : Rabs (a + b - (value s + value t)) <= ((1 + u) ^ h - 1) * (magnitudes s + magnitudes t)).
  { replace (a + b - (value s + value t)) with ((a - value s) + (b - value t)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). nra. }
  assert (B : Rabs (a + b) <= (1 + u) ^ h * (magnitudes s + magnitudes t)).
  { replace (a + b) with ((value s + value t) + (a + b - (value s + value t))) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). generalize (Rabs_triang (value s) (value t)). lra. }
  replace (r - (value s + value t)) with ((r - (a + b)) + (a + b - (value s + value t))) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _). nra.
Qed.

(* Half of the step: t is much smaller than s, and its rounding loses no more than it. *)
Lemma small_part : forall m n d a b S T, 1 <= m -> 1 <= n -> 0 <= S -> 0 <= T -> T <= u * S ->
  a <= (m - 1) * u * S -> b <= (n - 1) * u * T -> d <= T + b -> d + (a + b) <= (m + n - 1) * u * (S + T).
Proof.
intros m n d a b S T M N HS HT H A B D.
assert (U := u_bounds (p := p)).
assert (TS : T <= S) by nra.
assert (0 <= (n - 1) * u * (S - T)) by (apply Rmult_le_pos; nra).
assert (0 <= m * u * T) by (apply Rmult_le_pos; nra). nra.
Qed.

Lemma error_of_part : forall m a S T, 1 <= m -> u * S < T -> a <= (m - 1) * u * S -> u * a <= (m - 1) * u * T.
Proof.
intros m a S T M L A. assert (U := u_bounds (p := p)).
apply Rle_trans with (u * ((m - 1) * u * S)); [apply Rmult_le_compat_l; lra|].
replace (u * ((m - 1) * u * S)) with ((m - 1) * u * (u * S)) by ring.
apply Rmult_le_compat_l; [nra | lra].
Qed.

Theorem sum_in_any_order : forall t r, computes t r ->
  Rabs (r - value t) <= (INR (terms t) - 1) * u * magnitudes t.
Proof.
intros t r H. induction H as [x F | s t a b r Hs Es Ht Et R]; simpl.
- rewrite Rminus_diag_eq, Rabs_R0 by easy. lra.
- assert (U := u_bounds (p := p)).
  assert (D := sum_error a b r (computes_format _ _ Hs) (computes_format _ _ Ht) R).
  assert (M := magnitudes_nonneg s). assert (N := magnitudes_nonneg t).
  assert (V := value_le s). assert (W := value_le t).
  assert (X := terms_pos s). assert (Y := terms_pos t).
  rewrite plus_INR.
  assert (K : Rabs (r - (value s + value t)) <= Rabs (r - (a + b)) + (Rabs (a - value s) + Rabs (b - value t))).
  { replace (r - (value s + value t)) with ((r - (a + b)) + ((a - value s) + (b - value t))) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat_l, Rabs_triang. }
  apply Rle_trans with (1 := K).
  assert (A1 : Rabs a <= magnitudes s + Rabs (a - value s)).
  { replace a with (value s + (a - value s)) at 1 by ring. apply Rle_trans with (1 := Rabs_triang _ _). lra. }
  assert (B1 : Rabs b <= magnitudes t + Rabs (b - value t)).
  { replace b with (value t + (b - value t)) at 1 by ring. apply Rle_trans with (1 := Rabs_triang _ _). lra. }
  assert (DA : Rabs (r - (a + b)) <= Rabs a).
  { destruct R as [_ R]. apply Rle_trans with (1 := R b (computes_format _ _ Ht)).
    replace (b - (a + b)) with (- a) by ring. rewrite Rabs_Ropp. lra. }
  assert (DB : Rabs (r - (a + b)) <= Rabs b).
  { destruct R as [_ R]. apply Rle_trans with (1 := R a (computes_format _ _ Hs)).
    replace (a - (a + b)) with (- b) by ring. rewrite Rabs_Ropp. lra. }
  destruct (Rle_or_lt (magnitudes t) (u * magnitudes s)) as [L | L].
  + apply small_part; try easy; lra.
  + destruct (Rle_or_lt (magnitudes s) (u * magnitudes t)) as [L' | L'].
    * rewrite (Rplus_comm (INR (terms s))), (Rplus_comm (magnitudes s)), (Rplus_comm (Rabs (a - value s))).
      apply small_part; try easy; lra.
    * assert (AB : Rabs (a + b) <= magnitudes s + magnitudes t + (Rabs (a - value s) + Rabs (b - value t))).
      { apply Rle_trans with (1 := Rabs_triang _ _). lra. }
      assert (EA : u * Rabs (a - value s) <= (INR (terms s) - 1) * u * magnitudes t).
      { now apply error_of_part with (magnitudes s). }
      assert (EB : u * Rabs (b - value t) <= (INR (terms t) - 1) * u * magnitudes s).
      { now apply error_of_part with (magnitudes t). }
      nra.
Qed.

(** * formula.dot.1: a product is rounded, or fused with the addition that it goes into *)

Inductive dot :=
  | product (a b : R)
  | fused (a b : R) (t : dot)
  | add (s t : dot).

Fixpoint exact (t : dot) : R :=
  match t with product a b => a * b | fused a b t => a * b + exact t | add s t => exact s + exact t end.
Fixpoint mass (t : dot) : R :=
  match t with product a b => Rabs (a * b) | fused a b t => Rabs (a * b) + mass t | add s t => mass s + mass t end.
Fixpoint products (t : dot) : R :=
  match t with product _ _ => 1 | fused _ _ t => 1 + products t | add s t => products s + products t end.
Fixpoint depth (t : dot) : nat :=
  match t with product _ _ => 0 | fused _ _ t => S (depth t) | add s t => S (Nat.max (depth s) (depth t)) end.

Inductive gives : dot -> R -> Prop :=
  | gives_product : forall a b r, rounds (a * b) r -> gives (product a b) r
  | gives_fused : forall a b t c r, gives t c -> rounds (a * b + c) r -> gives (fused a b t) r
  | gives_add : forall s t a b r, gives s a -> gives t b -> rounds (a + b) r -> gives (add s t) r.

Lemma gives_format : forall t r, gives t r -> format r.
Proof. intros t r H. destruct H as [a b r R | a b t c r _ R | s t a b r _ _ R]; exact (is_format _ _ R). Qed.

Lemma mass_nonneg : forall t, 0 <= mass t.
Proof.
induction t as [a b | a b t Ht | s Hs t Ht]; simpl; [apply Rabs_pos | | lra]. generalize (Rabs_pos (a * b)). lra.
Qed.

Lemma exact_le : forall t, Rabs (exact t) <= mass t.
Proof.
induction t as [a b | a b t Ht | s Hs t Ht]; simpl; [lra | |]; apply Rle_trans with (1 := Rabs_triang _ _); lra.
Qed.

Lemma products_pos : forall t, 1 <= products t.
Proof. induction t; simpl; lra. Qed.

Theorem dot_error : forall t r, gives t r ->
  Rabs (r - exact t) <= ((1 + u) ^ (depth t + 1) - 1) * mass t + products t * (eta / 2) * (1 + u) ^ (depth t + 1).
Proof.
intros t r H. assert (U := u_bounds (p := p)). assert (T := eta_pos).
induction H as [a b r R | a b t c r Hc Ec R | s t a b r Hs Es Ht Et R]; simpl.
- assert (D := product_error _ _ R). generalize (Rabs_pos (a * b)). nra.
- assert (D := product_error _ _ R).
  assert (P := power_grows 0 (depth t + 1) ltac:(lia)). set (g := (1 + u) ^ (depth t + 1)) in *.
  assert (M := mass_nonneg t). assert (V := exact_le t). assert (N := products_pos t). assert (A := Rabs_pos (a * b)).
  assert (B : Rabs (a * b + c) <= Rabs (a * b) + (Rabs (exact t) + Rabs (c - exact t))).
  { apply Rle_trans with (1 := Rabs_triang _ _). apply Rplus_le_compat_l.
    replace c with (exact t + (c - exact t)) at 1 by ring. apply Rabs_triang. }
  replace (r - (a * b + exact t)) with ((r - (a * b + c)) + (c - exact t)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  assert (0 <= products t * (eta / 2) * g) by (apply Rmult_le_pos; nra).
  assert (0 <= (g - 1) * Rabs (a * b)) by (apply Rmult_le_pos; lra).
  assert (0 <= u * g * Rabs (a * b)) by (apply Rmult_le_pos; nra).
  assert (1 <= (1 + u) * g) by nra.
  assert (1 * (eta / 2) <= (1 + u) * g * (eta / 2)) by (apply Rmult_le_compat_r; lra).
  apply Rle_trans with ((u * Rabs (a * b) + eta / 2) + u * Rabs (exact t) + (1 + u) * Rabs (c - exact t)); [nra|].
  apply Rle_trans with ((u * Rabs (a * b) + eta / 2) + u * mass t
    + (1 + u) * ((g - 1) * mass t + products t * (eta / 2) * g)); [nra|]. nra.
- assert (D := sum_error a b r (gives_format _ _ Hs) (gives_format _ _ Ht) R).
  set (h := Nat.max (depth s) (depth t)).
  assert (P := power_grows (depth s + 1) (h + 1) ltac:(lia)). assert (Q := power_grows (depth t + 1) (h + 1) ltac:(lia)).
  set (g := (1 + u) ^ (h + 1)) in *. set (gs := (1 + u) ^ (depth s + 1)) in *. set (gt := (1 + u) ^ (depth t + 1)) in *.
  assert (M := mass_nonneg s). assert (N := mass_nonneg t).
  assert (V := exact_le s). assert (W := exact_le t). assert (X := products_pos s). assert (Y := products_pos t).
  assert (Fs : products s * (eta / 2) * gs <= products s * (eta / 2) * g) by (apply Rmult_le_compat_l; nra).
  assert (Ft : products t * (eta / 2) * gt <= products t * (eta / 2) * g) by (apply Rmult_le_compat_l; nra).
  assert (E : Rabs (a + b - (exact s + exact t))
    <= (g - 1) * (mass s + mass t) + (products s + products t) * (eta / 2) * g).
  { replace (a + b - (exact s + exact t)) with ((a - exact s) + (b - exact t)) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). nra. }
  set (e := (products s + products t) * (eta / 2) * g) in *.
  assert (B : Rabs (a + b) <= g * (mass s + mass t) + e).
  { replace (a + b) with ((exact s + exact t) + (a + b - (exact s + exact t))) by ring.
    apply Rle_trans with (1 := Rabs_triang _ _). generalize (Rabs_triang (exact s) (exact t)). lra. }
  replace (r - (exact s + exact t)) with ((r - (a + b)) + (a + b - (exact s + exact t))) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _).
  replace ((products s + products t) * (eta / 2) * ((1 + u) * g)) with ((1 + u) * e) by (unfold e; ring).
  nra.
Qed.

(** * formula.function.1: the steps of 1/sqrt(x) and of the sigmoid *)

Theorem reciprocal_root_step : forall d d', u <= 1 / 3 -> Rabs d <= u -> Rabs d' <= u ->
  Rabs ((1 + d) / (1 + d') - 1) <= 3 * u.
Proof.
intros d d' L D D'. assert (U := u_bounds (p := p)). apply Rabs_le_inv in D. apply Rabs_le_inv in D'.
assert (N : 0 < 1 + d') by lra.
replace ((1 + d) / (1 + d') - 1) with ((d - d') / (1 + d')) by (field; lra).
unfold Rdiv. rewrite Rabs_mult, Rabs_inv, (Rabs_pos_eq (1 + d')) by lra.
apply Rmult_le_reg_r with (1 + d'); [easy|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
apply Rle_trans with (2 * u); [apply Rabs_le; lra | nra].
Qed.

Theorem sigmoid_step : forall a b c, 0 <= a -> 0 <= b -> 0 <= c -> a + b + c < 1 ->
  (1 + c) / ((1 - a) * (1 - b)) <= 1 / (1 - a - b - c).
Proof.
intros a b c A B C L.
assert (0 < (1 - a) * (1 - b)) by (apply Rmult_lt_0_compat; lra).
apply Rmult_le_reg_r with ((1 - a) * (1 - b)); [easy|].
unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
apply Rmult_le_reg_r with (1 - a - b - c); [lra|].
replace (1 * / (1 - a - b - c) * ((1 - a) * (1 - b)) * (1 - a - b - c)) with ((1 - a) * (1 - b)) by (field; lra).
assert (0 <= a * b) by (apply Rmult_le_pos; easy). nra.
Qed.

(** * formula.store.1, root.1, move.1, sign.1 *)

Theorem stored : forall v c s e, rounds c s -> Rabs (c - v) <= e -> Rabs (s - v) <= e + u * (Rabs v + e) + eta.
Proof.
intros v c s e R H. assert (D := product_error _ _ R). assert (U := u_bounds (p := p)). assert (E := eta_pos).
replace (s - v) with ((s - c) + (c - v)) by ring. apply Rle_trans with (1 := Rabs_triang _ _).
assert (Rabs c <= Rabs v + Rabs (c - v)).
{ replace c with (v + (c - v)) at 1 by ring. apply Rabs_triang. }
nra.
Qed.

Theorem root_propagates : forall q c e, 0 <= q -> 0 <= c -> q <= e -> Rabs (c - q) <= e ->
  Rabs (sqrt c - sqrt q) <= Rmax (sqrt (q + e) - sqrt q) (sqrt q).
Proof.
intros q c e Q C L H. apply Rabs_le_inv in H.
assert (A : sqrt c <= sqrt (q + e)) by (apply sqrt_le_1_alt; lra).
assert (B := sqrt_pos c). assert (D := sqrt_pos q).
apply Rabs_le. split.
- apply Rle_trans with (- sqrt q); [|lra]. apply Ropp_le_contravar, Rmax_r.
- apply Rle_trans with (2 := Rmax_l _ _). lra.
Qed.

Theorem maximum_propagates : forall a b a' b' e, Rabs (a' - a) <= e -> Rabs (b' - b) <= e ->
  Rabs (Rmax a' b' - Rmax a b) <= e.
Proof.
intros a b a' b' e HA HB. apply Rabs_le_inv in HA. apply Rabs_le_inv in HB.
apply Rabs_le. unfold Rmax. destruct (Rle_dec a' b'), (Rle_dec a b); lra.
Qed.

Definition is_sign (x s : R) := (x < 0 /\ s = -1) \/ (x = 0 /\ s = 0) \/ (0 < x /\ s = 1).

Theorem sign_is_kept : forall x y e s t, is_sign x s -> is_sign y t -> Rabs (y - x) <= e -> e < Rabs x -> t = s.
Proof.
intros x y e s t S T H L. apply Rabs_le_inv in H.
unfold is_sign in *. revert L. unfold Rabs. destruct (Rcase_abs x); lra.
Qed.

Theorem sign_is_near : forall x y s t, is_sign x s -> is_sign y t -> Rabs (t - s) <= 1 + Rabs s.
Proof.
intros x y s t S T. unfold is_sign in *. unfold Rabs.
destruct (Rcase_abs (t - s)), (Rcase_abs s); lra.
Qed.

End Rules.

Print Assumptions quotient_by_reciprocal.
Print Assumptions quotient_propagates.
Print Assumptions product_propagates.
Print Assumptions sum_of_height.
Print Assumptions sum_in_any_order.
Print Assumptions dot_error.
Print Assumptions reciprocal_root_step.
Print Assumptions sigmoid_step.
Print Assumptions stored.
Print Assumptions root_propagates.
Print Assumptions maximum_propagates.
Print Assumptions sign_is_kept.
Print Assumptions sign_is_near.
