import json
import pathlib

import pytest
from assay import _arrays, _close, _convert, _native, _quantize

pytest_plugins = ["pytester"]


@pytest.fixture
def documents_that_fit(monkeypatch):
    """Every answer about a conversion or a quantizer fits its schema in docs."""
    try:
        import jsonschema
    except ImportError:  # the answers are tested without it, too
        return
    docs = pathlib.Path(__file__).resolve().parents[2] / "docs"

    def fitting(*arguments):
        told = report_of(*arguments)
        jsonschema.validate(told, json.loads((docs / f"{told['operation']}.schema.json").read_text(encoding="utf-8")))
        return told

    report_of = _native.report_of
    for module in (_convert, _quantize):
        monkeypatch.setattr(module, "report_of", fitting)


@pytest.fixture
def arrays_of_a_device(monkeypatch):
    """Arrays of NumPy lie on the device, and none is too small for it."""
    numpy, view = _arrays.numpy, _arrays.view
    monkeypatch.setattr(_arrays, "on_device", lambda x: view(x, "x") if isinstance(x, numpy.ndarray) else None)
    monkeypatch.setattr(_close, "_NUMBERS_OF_THE_HOST", 0)
