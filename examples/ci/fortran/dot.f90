! A dot product with two running sums. C calls it double pair_dot(size_t n, const double* x, const double* y).
function pair_dot(n, x, y) bind(c) result(total)
  use iso_c_binding, only: c_double, c_size_t
  implicit none
  integer(c_size_t), value :: n
  real(c_double), intent(in) :: x(n), y(n)
  real(c_double) :: total, odd
  integer(c_size_t) :: i

  total = 0
  odd = 0
  do i = 1, n - 1, 2
    total = total + x(i) * y(i)
    odd = odd + x(i + 1) * y(i + 1)
  end do
  if (mod(n, 2_c_size_t) == 1) total = total + x(n) * y(n)
  total = total + odd
end function pair_dot
