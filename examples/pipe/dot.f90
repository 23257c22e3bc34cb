! A kernel as a program in Fortran: dot products in binary64 by the protocol of docs/pipe.md.
! gfortran -O2 dot.f90 -o dot, then: assay check --operation dot --subject ./dot
program dot
  use iso_fortran_env, only: int32, real64
  implicit none
  integer :: input, output, status, cases, i, at
  integer(int32) :: length
  integer, allocatable :: lengths(:)
  real(real64), allocatable :: x(:), y(:), results(:)
  character(len=:), allocatable :: header
  character(len=4096) :: line
  character(len=64) :: answer

  open (newunit=input, file='/dev/stdin', access='stream', form='unformatted', action='read')
  open (newunit=output, file='/dev/stdout', access='stream', form='unformatted', action='write')
  line = ''
  do i = 1, len(line)
    read (input) line(i:i)
    if (line(i:i) == new_line('a')) exit
  end do
  if (index(line, '"dot"') == 0 .or. index(line, '"f64"') == 0) then
    write (output) '{"error": "only dot in f64"}' // new_line('a')
    stop
  end if
  write (output) '{"protocol": 1}' // new_line('a')
  flush (output)
  do
    read (input, iostat=status) length
    if (status /= 0) exit
    header = repeat(' ', length)
    read (input) header
    cases = number_at(header(index(header, '"cases"') + 7:))
    allocate (lengths(cases), results(cases))
    at = index(header, '"lengths"')
    at = at + index(header(at:), '"x"')
    at = at + index(header(at:), '[')
    read (header(at:at + index(header(at:), ']') - 2), *) lengths
    allocate (x(sum(lengths)), y(sum(lengths)))
    read (input) x, y
    at = 1
    do i = 1, cases
      results(i) = dot_product(x(at:at + lengths(i) - 1), y(at:at + lengths(i) - 1))
      at = at + lengths(i)
    end do
    write (answer, '(a, i0, a)') '{"bytes": ', 8 * cases, '}'
    write (output) int(len_trim(answer), int32), trim(answer), results
    flush (output)
    deallocate (lengths, results, x, y)
  end do

contains

  ! The number behind a colon.
  integer function number_at(text)
    character(len=*), intent(in) :: text
    integer :: begin
    begin = index(text, ':') + 1
    read (text(begin:begin + scan(text(begin:), ',}') - 2), *) number_at
  end function number_at
end program dot
