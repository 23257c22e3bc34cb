//! A dot product whose products and sums are compensated (Dot2 of Ogita, Rump and Oishi).

/// # Safety
/// `x` and `y` point to `n` numbers each, or to nothing where n is 0.
#[no_mangle]
pub unsafe extern "C" fn dot2(n: usize, x: *const f64, y: *const f64) -> f64 {
    let (mut total, mut error) = (0.0_f64, 0.0_f64);
    for i in 0..n {
        let (a, b) = (*x.add(i), *y.add(i));
        let product = a * b;
        let sum = total + product;
        let part = sum - total;
        error += a.mul_add(b, -product) + ((total - (sum - part)) + (product - part));
        total = sum;
    }
    // NaN and infinities are those of the plain sum.
    if total.is_finite() { total + error } else { total }
}
