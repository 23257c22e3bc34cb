# A kernel as a program in awk: dot products in binary64 by the lines of docs/pipe.md.
# assay check --operation dot --text --subject "gawk -f dot.awk"

# The number that a text such as -0x1.8p+1 stands for: its digits as an integer, times a power of two. Two factors: the
# inverse of one would overflow for the smallest numbers.
function number(text,  minus, parts, point, m, i, half) {
  minus = sub(/^-/, "", text)
  split(substr(text, 3), parts, "p")
  point = index(parts[1], ".")
  sub(/\./, "", parts[1])
  m = 0
  for (i = 1; i <= length(parts[1]); ++i) m = 16 * m + index("123456789abcdef", substr(parts[1], i, 1))
  if (point) parts[2] -= 4 * (length(parts[1]) - point + 1)
  half = int(parts[2] / 2)
  return (minus ? -m : m) * 2 ^ half * 2 ^ (parts[2] - half)
}
NR == 1 {
  if (/"dot"/ && /"f64"/) print "{\"protocol\": 1, \"text\": true}"
  else print "{\"error\": \"only dot in f64\"}"
  fflush()
  next
}
{
  n = split(substr($1, 3), x, ",")  # $1 is x=0x1p+0,0x1.8p+1
  split(substr($2, 3), y, ",")
  sum = 0
  for (i = 1; i <= n; ++i) sum += number(x[i]) * number(y[i])
  printf "%.17g\n", sum
  fflush()
}
