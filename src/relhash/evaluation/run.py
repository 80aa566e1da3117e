"""Everything a finished protocol leaves, whether it has just run or is read from its files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from relhash.errors import DataMissingError, ParameterError
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.finished_cells import CELLS, Cell, read_cells
from relhash.evaluation.protocols import PROTOCOLS, Protocol
from relhash.evaluation.systems.listed import SYSTEMS, is_system, system
from relhash.evaluation.systems.system import System
from relhash.evaluation.test_sets import TESTS, TestSet, read_tests


@dataclass
class Run:
    """The test sets, the systems as they ran, their cells, and what is to be said of them.

    ``parsed_by`` is the pipeline whose parses were used, empty for those of the files. A run that is read from its files has no
    ``dataset``.
    """

    protocol: Protocol
    tests: list[TestSet]
    systems: list[System]
    cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parsed_by: str = ""
    dataset: Dataset | None = field(default=None, repr=False)

    def system(self, name: str) -> System:
        """The system of this name as it ran."""
        return next(system for system in self.systems if system.name == name)


def read_run(folder: Path) -> Run:
    """The run whose cells and test sets stand in a folder; no corpus is needed.

    Cells are taken as they are, whatever program made them: what they say of it goes into the results. One without labels has
    its figures, and takes no part in differences.
    """
    files = sorted(folder.glob(f"*{TESTS}")) if folder.is_dir() else []
    if len(files) != 1:
        raise DataMissingError(
            f"{folder}: {'no' if not files else 'more than one'} file *{TESTS} to compute from; name one folder that relhash "
            "benchmark -o has written"
        )
    about, tests = read_tests(files[0])
    name = str(about["protocol"])
    if name not in PROTOCOLS:
        raise ParameterError(f"{files[0]}: there is no protocol {name!r} in this version")
    cells: dict[str, Cell] = {}
    for file in (folder / f"{name}{CELLS}.gz", folder / f"{name}{CELLS}"):
        cells |= read_cells(file) if file.exists() else {}
    if not cells:
        raise DataMissingError(f"{folder}: there is no finished cell in {name}{CELLS}")
    sizes = {(test.direction, test.fold): test.y.size for test in tests}
    for cell in cells.values():
        size = sizes.get((cell.direction, cell.fold)) if cell.given is None else cell.given.size  # figures alone will do
        if size is None or size != sizes.get((cell.direction, cell.fold)):
            raise DataMissingError(f"{folder}: a cell of {cell.system} does not fit the test set of {cell.direction}")
    order = {named: number for number, named in enumerate(SYSTEMS)}
    named = dict.fromkeys(cell.system for cell in cells.values())
    lost = [one for one in named if not is_system(one)]
    if lost:
        raise ParameterError(f"{folder}: there is no system {', '.join(lost)} in this version")
    protocol = PROTOCOLS[name]
    listed = [one for one in protocol.systems if one in named]
    wanted = dict.fromkeys([*listed, *sorted(named, key=lambda one: order.get(one, len(order)))])
    systems = [system(one, has_roles=protocol.has_roles) for one in wanted]
    place = {one: number for number, one in enumerate(wanted)}
    direction = {key: number for number, key in enumerate(sizes)}
    ordered = sorted(cells.values(), key=lambda c: (direction[c.direction, c.fold], c.seed, place[c.system], c.labels or 0))
    return Run(protocol, tests, systems, ordered, list(about["notes"]), str(about["parsed_by"]))
