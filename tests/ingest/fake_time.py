"""Time that passes only while a stream waits, so that nobody has to."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.pacing import Pacing

if TYPE_CHECKING:
    from collections.abc import Callable

START = dt.datetime(2024, 5, 17, 12, 0, 4, tzinfo=dt.UTC)


@dataclass
class FakeTime:
    """Two clocks that go on by what is waited; during each wait the next step of `steps` happens.

    The stream is stopped when there are no more steps. `waits` are the seconds that it asked for.
    """

    steps: list[Callable[[], object]]
    settle_seconds: float = 0.5
    is_watched: bool = False
    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    is_over: bool = False

    @property
    def pacing(self) -> Pacing:
        return Pacing(self.settle_seconds, self.is_watched, clock=self.clock, wait=self.wait)

    def clock(self) -> float:
        return self.seconds

    def now(self) -> dt.datetime:
        return START + dt.timedelta(seconds=self.seconds)

    def file_time(self, *, skew: float = 0.0) -> float:
        """Give the time that a file system whose clock is `skew` seconds off gives a file now."""
        return self.now().timestamp() + skew

    def wait(self, seconds: float, *, rest: float) -> None:
        del rest
        self.waits.append(round(seconds, 6))
        self.seconds += seconds
        if self.steps:
            self.steps.pop(0)()
        self.is_over = not self.steps
