"""A function in a process of its own: it may crash or hang, and the judge's data are not in its memory.

The process gets pickled arguments. It answers in bytes, and the judge unpickles none of them: a letter, and then the
numbers of the result (R), the reason why there is none (E), or what the function changed besides its results (C).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import struct
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from . import _arrays, _shapes
from ._calls import Calls, words_of

_START_LIMIT = 60
_LONGEST_TEXT = 1 << 16
_NO_RESULT = "its process sent something else than a result"


class NoAnswer(RuntimeError):
    """The process of the function ended, or did not answer in time."""


def _answer(
    connection: Connection,
    function: Callable[..., Any],
    arrays: Callable[..., Any] | None,
    operation: str,
    fields: Sequence[str],
    described: _shapes.Arguments,
) -> None:
    """The process's side: reports that it is ready, and answers until the connection is closed."""
    kernel = _shapes.fitted(_shapes.converting(function, arrays), operation, fields, described)
    with _arrays.without_warnings(), Calls(kernel) as calls:
        connection.send_bytes(b"R")
        while True:
            try:
                asked = connection.recv()
            except EOFError:
                return
            try:
                answer = b"C" + json.dumps(calls.changes()).encode() if asked is None else _numbers(calls, *asked)
            except BaseException as error:
                answer = b"E" + words_of(error).encode(errors="replace")[: _LONGEST_TEXT - 1]
            connection.send_bytes(answer)


def _numbers(calls: Calls, again: bool, *arguments: Any) -> bytes:
    return b"R" + (calls.call_again(*arguments) if again else calls.call(*arguments))


class Isolated:
    """Calls a function in a spawned process, like Calls in this process; starts another process if that one has ended.
    The function is passed by its name in its module."""

    def __init__(
        self,
        function: Callable[..., Any],
        arrays: Callable[..., Any] | None,
        operation: str,
        fields: Sequence[str],
        time_limit: float,
        described: _shapes.Arguments = (),
    ):
        self._target = (function, arrays, operation, fields, described)
        self._time_limit = time_limit
        self._process: Any = None
        self._connection: Any = None
        self.seconds = 0.0  #: how long the process took to answer all calls

    def __enter__(self) -> "Isolated":
        self._start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._end()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_answer, args=(other, *self._target), daemon=True)
        try:
            self._process.start()
        except (AttributeError, pickle.PicklingError) as error:
            raise TypeError(f"isolate=True needs a function that a module has by a name: {error}") from None
        other.close()
        try:
            self._received(_LONGEST_TEXT, _START_LIMIT)
        except TimeoutError:
            self._process.kill()
            raise NoAnswer(f"its process was not ready within {_START_LIMIT} s") from None
        except (EOFError, ConnectionError):
            self._process.join(1)
            raise NoAnswer("it cannot be passed to a process of its own: " + _ending(self._process.exitcode)) from None

    def _end(self) -> None:
        self._connection.close()
        self._process.join(1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def call(self, given: list[_arrays.Given], kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        return self._numbers(False, given, kind, shape)

    def call_again(self, raws: list[bytes], kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        return self._numbers(True, raws, kind, shape)

    def changes(self) -> list[str]:
        """The changes that the function made in its process, one sentence each. Empty if the process has ended."""
        if self._connection.closed:
            return []
        try:
            return [str(each) for each in json.loads(self._asked(None, _LONGEST_TEXT, "C"))]
        except NoAnswer as error:
            return [str(error)]
        except (ValueError, RecursionError, TypeError):
            return [_NO_RESULT]

    def _numbers(self, again: bool, of: Any, kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        size = kind[1] // 8
        for n in shape:
            size *= n
        begun = time.monotonic()
        raw = self._asked((again, of, kind, shape), max(size, _LONGEST_TEXT), "R")
        self.seconds += time.monotonic() - begun
        if len(raw) != size:
            raise NoAnswer(_NO_RESULT)
        return raw

    def _asked(self, question: Any, most: int, letter: str) -> bytes:
        """The answer of the process. Raises NoAnswer if there is none, or one with another letter."""
        if self._connection.closed:  # the previous process had ended
            self._start()
        try:
            self._connection.send(question)
            answer = self._received(1 + most, self._time_limit)
        except TimeoutError:
            self._process.kill()
            self._end()
            raise NoAnswer(f"it gave no answer within {self._time_limit:g} s") from None
        except ValueError:
            self._process.kill()
            self._end()
            raise NoAnswer(_NO_RESULT) from None
        except (EOFError, ConnectionError):
            self._process.join(1)
            reason = _ending(self._process.exitcode)
            self._end()
            raise NoAnswer(reason) from None
        told = answer[1:]
        if answer[:1] == b"E":
            raise NoAnswer(told.decode(errors="replace"))
        if answer[:1] != letter.encode():
            raise NoAnswer(_NO_RESULT)
        return told

    def _received(self, most: int, limit: float) -> bytes:
        """The bytes of a message, in the form that Connection.send_bytes gives it."""
        end = time.monotonic() + limit
        (size,) = struct.unpack("!i", self._read(4, end))
        if not 0 <= size <= most:
            raise ValueError
        return self._read(size, end)

    def _read(self, size: int, end: float) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            if not self._connection.poll(max(0.0, end - time.monotonic())):
                raise TimeoutError
            part = os.read(self._connection.fileno(), size - len(parts))
            if not part:
                raise EOFError
            parts += part
        return bytes(parts)


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"
