from math import fsum

from assay.subject import serve

serve(dot=lambda x, y: fsum(a * b for a, b in zip(x, y)))
