"""Libraries with arrays on a device, for tests that need one."""

import importlib

import pytest


def library(name):
    """The library and a function from NumPy's arrays to its arrays on a device; the test is skipped without them."""
    module = pytest.importorskip(name)
    try:
        if name == "torch":
            assert module.cuda.is_available()
            return module, lambda x: module.from_numpy(x).cuda()
        if name == "cupy":
            assert module.cuda.runtime.getDeviceCount() > 0
            return module, module.asarray
        module.config.update("jax_enable_x64", True)
        assert any(each.platform == "gpu" for each in module.devices())
        return importlib.import_module("jax.numpy"), module.numpy.asarray
    except Exception:
        pytest.skip(f"{name} finds no device")
