"""A function in a process of its own: it may crash or hang."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from multiprocessing.connection import Connection
from typing import Any

from . import _arrays
from .judge import Kernel


_START_LIMIT = 60


class NoAnswer(RuntimeError):
    """The process of the function ended, or did not answer in time."""


def _answer(connection: Connection, function: Kernel, arrays: Kernel | None) -> None:
    """The other side: says that it is there, and answers until the connection is closed."""
    connection.send(None)
    while True:
        try:
            arguments = connection.recv()
        except EOFError:
            return
        try:
            if arrays is not None:
                arguments = [arrays(each) if getattr(each, "shape", ()) else each for each in arguments]
            with _arrays.without_warnings():
                result = function(*arguments)
            connection.send((True, _sendable(result)))
        except Exception as error:
            connection.send((False, f"{type(error).__name__}: {error}"))


def _sendable(value: Any) -> Any:
    """The result in the memory of the host, as NumPy has it where the result is an array of another library."""
    value = _arrays._on_host(value)
    if hasattr(value, "__array_interface__") or not hasattr(value, "__dlpack__"):
        return value
    return _arrays.numpy.from_dlpack(value).copy()


class Isolated:
    """Calls a function in a spawned process, and starts another one where that ends. The function is passed by the name
    that its module gives it."""

    def __init__(self, function: Kernel, arrays: Kernel | None, time_limit: float):
        self.__wrapped__ = function  # whose arguments are those of this one
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
        try:
            self._process.start()
        except (AttributeError, pickle.PicklingError) as error:
            raise TypeError(f"isolate=True needs a function that a module has by a name: {error}") from None
        other.close()
        if not self._connection.poll(_START_LIMIT):
            self._process.kill()
            raise NoAnswer(f"its process was not ready within {_START_LIMIT} s")
        try:
            self._connection.recv()
        except EOFError:
            self._process.join(1)
            raise NoAnswer("it cannot be passed to a process of its own: " + _ending(self._process.exitcode)) from None

    def _end(self) -> None:
        self._connection.close()
        self._process.join(1)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def __call__(self, *arguments: Any) -> Any:
        try:
            self._connection.send(arguments)
            if not self._connection.poll(self._time_limit):
                self._process.kill()
                self._restart()
                raise NoAnswer(f"it gave no answer within {self._time_limit:g} s")
            is_result, told = self._connection.recv()
        except (EOFError, ConnectionError):
            self._process.join(1)
            reason = _ending(self._process.exitcode)
            self._restart()
            raise NoAnswer(reason) from None
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
