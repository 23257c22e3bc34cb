"""A function in a process of its own: it may crash or hang."""

from __future__ import annotations

import multiprocessing
import signal
from multiprocessing.connection import Connection
from typing import Any

from .judge import Kernel


class NoAnswer(RuntimeError):
    """The process of the function ended, or did not answer in time."""


def _answer(connection: Connection, function: Kernel, arrays: Kernel | None) -> None:
    """The other side: answers until the connection is closed."""
    while True:
        try:
            arguments = connection.recv()
        except EOFError:
            return
        try:
            if arrays is not None:
                arguments = [arrays(each) if getattr(each, "shape", ()) else each for each in arguments]
            connection.send((True, _sendable(function(*arguments))))
        except Exception as error:
            connection.send((False, f"{type(error).__name__}: {error}"))


def _sendable(value: Any) -> Any:
    """The result in the memory of the host, as NumPy has it where the result is an array of another library."""
    from . import _arrays

    value = _arrays._on_host(value)
    if hasattr(value, "__array_interface__") or not hasattr(value, "__dlpack__"):
        return value
    return _arrays.numpy.from_dlpack(value).copy()


class Isolated:
    """Calls a function in a spawned process, and starts another one where that ends. The function is passed by the name
    that its module gives it."""

    def __init__(self, function: Kernel, arrays: Kernel | None, time_limit: float):
        self._target = (function, arrays)
        self._time_limit = time_limit
        self._process: Any = None
        self._connection: Any = None

    def __enter__(self) -> "Isolated":
        self._start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._end()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=_answer, args=(other, *self._target), daemon=True)
        self._process.start()
        other.close()
        self._first = True

    def _end(self) -> None:
        self._connection.close()
        self._process.join(1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def __call__(self, *arguments: Any) -> Any:
        try:
            self._connection.send(arguments)
            if not self._connection.poll(self._time_limit + (60 if self._first else 0)):
                raise NoAnswer(f"it gave no answer within {self._time_limit:g} s")
            self._first = False
            is_result, told = self._connection.recv()
        except (EOFError, ConnectionError):
            self._process.join(1)
            reason = _ending(self._process.exitcode)
            self._restart()
            raise NoAnswer(reason) from None
        except NoAnswer:
            self._process.kill()
            self._restart()
            raise
        if not is_result:
            raise NoAnswer(told)
        return told

    def _restart(self) -> None:
        self._end()
        self._start()


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"
