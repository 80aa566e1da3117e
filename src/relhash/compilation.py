"""How this package compiles: only when it pays, without the GIL, strictly IEEE, kept in RelHash's own cache folder.

Numba takes half a second or more to compile a function, and a third of a second to be imported. A sentence is read before
that. So a function with an estimate of its time in plain Python (``seconds``) runs as plain Python until that time is spent,
and is then compiled, or loaded if it was compiled before. Both ways give the same bits: it is the same source, or a twin in
numpy (``plain``) that tests compare with it element by element.

Numba decides where compiled code is kept when a function is decorated. :class:`Compiled` points it at the user's cache folder
for just that moment, so that a user's own Numba functions keep their own settings. ``NUMBA_CACHE_DIR`` is respected when it is
set, and where no folder can be written (read-only home, zip import) the code is compiled anew in each process.

Numba notices a change in the file of a compiled function, but not in the functions it calls from other files; a digest of
the sources in the name of the folder closes that gap. Each file has a checksum (:mod:`relhash.compiled_files`).
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar, overload
from weakref import WeakSet

import numpy as np
import platformdirs

PAYS = 0.25
"""Seconds of plain Python after which a function is compiled: about half of what compiling it takes."""
IMPORT_PAYS = 0.3
"""Seconds of plain Python, all functions together, after which Numba is imported to look for code that is kept."""


Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent
ROOMS_WITH_COMPILED_CODE = ("language", "biomed/genes", "kernels", "hashing", "learn")
"""In the order of the import contract: compiled code calls only what is in its own or an earlier room."""

_pointing = Lock()
"""Threads may import modules at once: one of them would take the other's folder for the user's, and leave it behind."""


def compiled_folder() -> Path:
    """Where all compiled code is kept: the user's cache folder, or ``NUMBA_CACHE_DIR``."""
    users_choice = os.environ.get("NUMBA_CACHE_DIR")
    return Path(users_choice or Path(platformdirs.user_cache_dir("relhash", appauthor=False)) / "numba")


@cache
def cache_folder(room: str) -> Path | None:
    """The folder of a room's compiled code, one for each state of the sources it is made from; ``None`` if none can be made."""
    from relhash.compiled_files import FORMAT, LAYOUT, warn_that_nothing_is_kept

    rooms = ROOMS_WITH_COMPILED_CODE
    digest = hashlib.sha256(FORMAT + LAYOUT)
    for earlier in rooms[: rooms.index(room) + 1] if room in rooms else rooms:
        for source in sorted((PACKAGE / earlier).glob("*.py")):
            content = source.read_bytes()
            if b"@compiled" in content or b"@intrinsic" in content:
                digest.update(content)
    folder = compiled_folder() / f"{room.replace('/', '-')}-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
        why = "no permission"
    except OSError as error:
        why = str(error.strerror)
    warn_that_nothing_is_kept(folder.parent, why)
    return None


class Compiled:
    """A function that runs as plain Python as long as this is quicker, and compiled from then on; see :func:`compiled`."""

    def __init__(
        self,
        function: Callable[..., Any],
        seconds: Callable[..., float] | None,
        plain: Any,
        is_made: bool = False,
        **options: Any,
    ) -> None:
        """With ``is_made``, ``function`` makes a :class:`Compiled` when it is needed (one of a module that imports Numba)."""
        self.function, self._seconds, self._plain, self._options = function, seconds, plain, options
        self._is_made = is_made
        self._spent = 0.0
        self._looked_for: dict[Any, bool] = {}
        _all.add(self)
        self._run: Callable[..., Any] = self._chosen
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__wrapped__ = function

    def __call__(self, *args: Any) -> Any:
        return self._run(*args)

    def _chosen(self, *args: Any) -> Any:
        """Compiled, if plain Python would take too long by now."""
        taken = _NEVER if self._seconds is None else self._seconds(*args)
        if _time.is_up(taken) and ((is_kept := self._is_kept(args)) or self._spent + taken > min(_time.pays, _LARGEST)):
            if not is_kept:
                _say_that_it_compiles()
            self._run = self.dispatcher
            return self.dispatcher(*args)
        self._spent += taken
        _time.spent += taken
        with np.errstate(all="ignore"):  # whole numbers wrap around, as they do in compiled code
            return self.plain(*args)

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The same in plain Python, as are the functions that it calls."""
        if self._plain is not None:
            return self._plain
        own, given = self.function, self.function.__globals__
        called = {name: given[name].plain for name in own.__code__.co_names if isinstance(given.get(name), Compiled)}
        return FunctionType(own.__code__, {**given, **called}, own.__name__, own.__defaults__, own.__closure__)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's object, which compiles on its first call or loads what is kept."""
        if self._is_made:
            return self.function().dispatcher
        import numba
        from numba.extending import typeof_impl

        if Compiled not in typeof_impl.registry:
            typeof_impl.register(Compiled)(lambda one, context: numba.typeof(one.dispatcher))
        return _dispatcher(self.function, **self._options)

    def _is_kept(self, args: tuple[Any, ...]) -> bool:
        """Whether code for arguments of these types is on disk; looked for once, not for each call."""
        from relhash.compiled_files import is_kept

        kinds = tuple((type(one), getattr(one, "dtype", None), getattr(one, "ndim", 0)) for one in args)
        if kinds not in self._looked_for:
            self._looked_for[kinds] = is_kept(self.dispatcher, args)
        return self._looked_for[kinds]


_all: WeakSet[Compiled] = WeakSet()
_NEVER = float("inf")
_LARGEST = sys.float_info.max


class _Time:
    """What plain Python has taken of the time of this process, by estimate: no clock decides which code runs."""

    def __init__(self) -> None:
        self.spent, self.pays, self.is_said = 0.0, PAYS, False

    def is_up(self, taken: float) -> bool:
        """Whether it may be quicker to compile, or to load; without ``seconds`` there is no choice."""
        if self.pays == _NEVER:
            return taken == _NEVER
        return self.spent + taken > min(IMPORT_PAYS, self.pays) or "relhash.compiled_files" in sys.modules


_time = _Time()


def _say_that_it_compiles() -> None:
    """One line to a person who waits at a terminal."""
    console = sys.modules.get("relhash.cli.console")
    if console is not None and sys.stderr.isatty() and not _time.is_said:
        console.note("compiling for this computer, once: some 10 s (relhash info --warm does it beforehand)")
    _time.is_said = True


@contextmanager
def after(seconds: float) -> Iterator[None]:
    """Compile a function once plain Python has taken it so long: 0 compiles everything, ``inf`` nothing that has a twin.

    >>> with after(0):
    ...     compiled(lambda x: 2 * x)(4)
    8
    """
    before, _time.pays = _time.pays, seconds
    for one in list(_all):
        one._run = one._chosen
    try:
        yield
    finally:
        _time.pays = before
        for one in list(_all):
            one._run = one._chosen


@overload
def compiled(function: Function) -> Function: ...
@overload
def compiled(
    *, seconds: Callable[..., float] | None = None, plain: Callable[..., Any] | None = None, in_any_order: bool = False
) -> Callable[[Function], Function]: ...
def compiled(function: Any = None, *, seconds: Any = None, plain: Any = None, in_any_order: bool = False) -> Any:
    """Compile ``function`` when it pays (or load it from the cache).

    No ``fastmath``: a result must not depend on how a loop was vectorised. No ``parallel``: threads are ours to start, see
    :mod:`relhash.kernels.threads`.

    Parameters
    ----------
    seconds
        What a call takes about in plain Python, from its arguments; ``None`` if it is always compiled.
    plain
        What then runs; ``None`` for the function itself.
    in_any_order
        Whether sums are exact (of whole numbers), so that the order of their terms does not matter.

    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(4)
    8
    """

    def wrapped(own: Any) -> Any:
        return Compiled(own, seconds, plain, fastmath={"reassoc", "contract"} if in_any_order else False)

    return wrapped if function is None else wrapped(function)


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    import numba

    from relhash.compiled_files import with_checked_files

    source = Path(function.__code__.co_filename).resolve().parent
    folder = cache_folder(source.relative_to(PACKAGE).as_posix() if source.is_relative_to(PACKAGE) else source.name)
    if folder is None:
        return _jit(function, **options)
    config: Any = numba.config
    with _pointing:
        users_folder = config.CACHE_DIR
        try:
            config.CACHE_DIR = os.fspath(folder)
            return with_checked_files(_jit(function, cache=True, **options))
        except RuntimeError:  # no source file to go with the code
            return _jit(function, **options)
        finally:
            config.CACHE_DIR = users_folder


def _jit(function: Callable[..., Any], **options: Any) -> Any:
    import numba

    return numba.njit(nogil=True, error_model="numpy", **options)(function)
