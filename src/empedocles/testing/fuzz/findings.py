"""What came of trying inputs: how many of a kind were accepted and refused, and what was found."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field

LONGEST = 2_000  # characters of an input that are shown


class Unsound(Exception):
    """Something was accepted that breaks a promise: which one, in words without values, and then the values."""


def need(holds: object, promise: str, *values: object) -> None:
    if not holds:
        raise Unsound(promise, *values)


@dataclass
class Finding:
    kind: str
    seed: int  # of the chunk
    what: str  # one line: also tells findings apart
    given: str  # the input, as Python writes it
    details: str = ""
    times: int = 1

    def __str__(self) -> str:
        shown = self.given if len(self.given) <= LONGEST else f"{self.given[:LONGEST]} … ({len(self.given)} characters)"
        lines = [f"{self.kind}, seed {self.seed}: {self.what} ({self.times} times)", f"    input: {shown}"]
        return "\n".join([*lines, *(f"    {line}" for line in self.details.splitlines())])


@dataclass
class Tally:
    """The count of one kind."""

    kind: str
    accepted: int = 0
    refused: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return self.accepted + self.refused + sum(finding.times for finding in self.findings)

    def note(self, finding: Finding) -> None:
        """Keep one finding of each sort, with the shortest input."""
        for k, known in enumerate(self.findings):
            if known.what == finding.what:
                times = known.times + finding.times
                self.findings[k] = min(known, finding, key=lambda one: len(one.given))
                self.findings[k].times = times
                return
        self.findings.append(finding)

    def add(self, other: Tally) -> None:
        self.accepted += other.accepted
        self.refused += other.refused
        for finding in other.findings:
            self.note(finding)

    def __str__(self) -> str:
        return (
            f"{self.kind:<10} {self.tried:>8} tried {self.accepted:>8} accepted {self.refused:>8} refused "
            f"{len(self.findings):>4} findings"
        )


def what_happened(error: BaseException) -> str:
    """An error in one line, the same for all inputs that cause it: its type and where it comes from, without values."""
    if isinstance(error, Unsound):
        return str(error.args[0])
    if error.__cause__ is not None:  # what another error was made of
        return f"{type(error).__name__} from {what_happened(error.__cause__)}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "empedocles" in frame.filename] or frames
    place = f" at {'/'.join(own[-1].filename.split('/')[-2:])}:{own[-1].lineno}" if own else ""
    return f"{type(error).__name__}{place}"


def details_of(error: BaseException) -> str:
    if isinstance(error, Unsound):
        return "\n".join(map(str, error.args[1:]))
    return "".join(traceback.format_exception(error)[-6:]).strip()
