"""What stands where people have torch.testing.assert_close and numpy.testing.assert_allclose."""

from ._close import assert_close

__all__ = ["assert_close"]
