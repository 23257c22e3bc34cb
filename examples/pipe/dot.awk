# A kernel as a program in awk: dot products in binary64 by the lines of docs/pipe.md.
# assay check --operation dot --text --subject "mawk -W interactive -f dot.awk"
NR == 1 {
  if (/"dot"/ && /"f64"/) print "{\"protocol\": 1, \"text\": true}"
  else print "{\"error\": \"only dot in f64\"}"
  next
}
{
  n = split(substr($1, 3), x, ",")  # $1 is x=0x1p+0,0x1.8p+1
  split(substr($2, 3), y, ",")
  sum = 0
  for (i = 1; i <= n; ++i) sum += x[i] * y[i]
  printf "%.17g\n", sum
}
