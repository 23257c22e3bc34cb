"""Assay from Python: kernels written in Python are judged as programs (assay.subject)."""
