"""Worker processes, kept alive between uses. A crash or a stall costs one file, never the run."""

import queue
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator

import msgspec

from lurcher_index.building.cores import seconds_without_core
from lurcher_index.building.messages import Job, Jobs, Parsed, Setup, read_frame, write_frame
from lurcher_index.building.spawning import spawn
from lurcher_index.building.turns import Turns
from lurcher_index.errors import LurcherError
from lurcher_index.model import Reason, Skip

BATCH_JOBS = 16
"""Jobs sent at once: enough that a worker seldom waits, few enough that both workers end at about the same time."""

RESULTS_AHEAD = 256
"""Answers that may wait for the owner; more would only take memory."""

HAND_OVER_SECONDS = 0.1
"""How long answers are gathered at most: waking the owner for each one cost more than writing it down."""

START_SECONDS = 60.0
"""Longest time a worker may take to start, on a machine that is busy with everything else."""

FAILED_STARTS = 3
"""Workers that die before they are ready until the run is given up."""

_UNUSED = ("typing_extensions",)
"""What msgspec loads if it is there and does without if not: a tenth of the time that a worker takes to start."""

_WATCH_SECONDS = 0.25


class WorkerPool:
    """Some worker processes; `run` is for one thread at a time."""

    def __init__(self, setup: Setup, count: int) -> None:
        """Prepare; processes start when they are first needed."""
        self._setup = setup
        self._workers = [_Process(setup) for _ in range(count)]
        self._busy = threading.Lock()

    def run(
        self, jobs: Iterable[Job], cancelled: Callable[[], bool] = lambda: False, workers: int | None = None
    ) -> Iterator[Parsed]:
        """The answer to every job, in their order unless one keeps the others waiting; ends early when `cancelled` says
        so. With `workers`, so many of them work at most."""
        with self._busy:
            run = _Run(jobs, self._setup.settings.file_seconds)
            working = self._workers[: 1 if len(run.waiting) <= BATCH_JOBS else workers]
            threads = [threading.Thread(target=run.drive, args=(worker,), daemon=True) for worker in working]
            for thread in threads:
                thread.start()
            try:
                yield from run.answers(threads, cancelled)
            finally:
                # A thread with nothing left to do ends by itself, and leaves its worker alive for the next run.
                if run.unanswered:
                    run.stop()
                for thread in threads:
                    thread.join()

    def close(self) -> None:
        """Stop the processes for good. A run that is under way in another thread fails soon, and starts none anew."""
        for worker in self._workers:
            worker.retire()
        with self._busy:
            for worker in self._workers:
                worker.stop()


class _Process:
    """One worker process, started anew after it died."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._process: subprocess.Popen[bytes] | None = None
        self._start_turn = threading.Lock()
        self._retired = False
        self._deadline: float | None = None
        self._without_core = 0.0

    def ready(self) -> bool:
        """Whether the process runs, after starting it if there is none; False if it cannot start."""
        if self._process is not None:
            return True
        with self._start_turn:
            if self._retired:
                return False
            self._process = spawn("lurcher_index.building.worker", _UNUSED, bare=True)
            self._without_core = 0.0
        self._send(self._setup)
        return self.receive(START_SECONDS) is not None

    def send(self, jobs: tuple[Job, ...]) -> None:
        """Hand over jobs."""
        # Not before each answer: to read it took as long as all else that is done for one. A worker that had no core
        # for some of the jobs may take that much longer for the next.
        if self._process is not None:
            self._without_core = seconds_without_core(self._process.pid)
        self._send(Jobs(jobs))

    def receive(self, patience: float) -> bytes | None:
        """The next answer, or None if the process died; `patience` in seconds."""
        process = self._process
        if process is None or process.stdout is None:
            return None
        self._deadline = time.monotonic() + patience
        try:
            return read_frame(process.stdout)
        finally:
            self._deadline = None

    def is_stalled(self) -> bool:
        """Whether an answer is overdue, and not because others had all the cores: a worker gives way to everybody."""
        process, deadline = self._process, self._deadline
        if process is None or deadline is None or time.monotonic() <= deadline:
            return False
        return time.monotonic() > deadline + seconds_without_core(process.pid) - self._without_core

    def stop(self) -> int | None:
        """Stop the process; its exit code, if there was one."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                pass  # Closing flushes, and nobody reads any more.
        return process.wait()

    def retire(self) -> None:
        """End the process, and start none any more."""
        with self._start_turn:
            self._retired = True
        self.kill()

    def kill(self) -> None:
        """End the process from another thread; the one that reads from it sees the end of the stream."""
        process = self._process
        if process is not None:
            process.kill()

    def _send(self, message: msgspec.Struct) -> None:
        process = self._process
        try:
            if process is not None and process.stdin is not None:
                write_frame(process.stdin, message)
        except OSError:
            pass  # It died; the missing answer will show.


class _Run:
    """One pass over a list of jobs, shared by the threads that drive the workers."""

    def __init__(self, jobs: Iterable[Job], file_seconds: float) -> None:
        self.waiting = deque(jobs)
        self._turns = Turns(self.waiting, time.monotonic)
        self.unanswered = len(self.waiting)
        self._suspects: deque[Job] = deque()
        self._tried: set[int] = set()
        self._results: queue.Queue[list[Parsed]] = queue.Queue(RESULTS_AHEAD // BATCH_JOBS)
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._active: set[_Process] = set()
        self._file_seconds = file_seconds
        self._failed_starts = 0
        self._failure = ""

    def answers(self, threads: list[threading.Thread], cancelled: Callable[[], bool]) -> Iterator[Parsed]:
        """Pass on what the threads bring, watching for workers that hang."""
        brought: deque[Parsed] = deque()
        while self.unanswered and not cancelled():
            if brought:
                self.unanswered -= 1
                yield brought.popleft()
                continue
            self._end_stalled()
            try:
                brought.extend(self._turns.take(self._results.get(timeout=_WATCH_SECONDS)))
            except queue.Empty:
                if not any(thread.is_alive() for thread in threads) and self._results.empty():
                    brought.extend(self._turns.rest())
                    if not brought:
                        break
            if self._results.empty():
                brought.extend(self._turns.overdue())
        if self._failure:
            raise LurcherError(self._failure)

    def stop(self) -> None:
        """Let the threads come to an end, in the middle of a file if need be."""
        self._stopped.set()
        with self._lock:
            for process in self._active:
                process.kill()

    def drive(self, process: _Process) -> None:
        """Thread: feed one worker until nothing is left."""
        decoder = msgspec.msgpack.Decoder(Parsed)
        with self._lock:
            self._active.add(process)
        while not self._stopped.is_set() and (batch := self._next_batch()):
            answered = 0
            started = process.ready()
            if started:
                process.send(batch)
                gathered: list[Parsed] = []
                due = time.monotonic() + HAND_OVER_SECONDS
                while answered < len(batch) and (frame := process.receive(self._file_seconds)) is not None:
                    gathered.append(decoder.decode(frame))
                    answered += 1
                    if time.monotonic() >= due:
                        self._deliver(gathered)
                        gathered, due = [], time.monotonic() + HAND_OVER_SECONDS
                if gathered:
                    self._deliver(gathered)
            if answered < len(batch):
                code = process.stop()
                if not self._stopped.is_set():
                    self._after_death(batch[answered:], started, code)
        with self._lock:
            self._active.discard(process)

    def _next_batch(self) -> tuple[Job, ...]:
        with self._lock:
            if self.waiting:
                return tuple(self.waiting.popleft() for _ in range(min(BATCH_JOBS, len(self.waiting))))
            # A file that ended a worker is tried once more, alone, when nothing else can suffer from it.
            return (self._suspects.popleft(),) if self._suspects else ()

    def _deliver(self, answers: list[Parsed]) -> None:
        while not self._stopped.is_set():
            try:
                self._results.put(answers, timeout=_WATCH_SECONDS)
                return
            except queue.Full:
                continue

    def _after_death(self, unanswered: tuple[Job, ...], started: bool, code: int | None) -> None:
        if not started:
            self._after_failed_start(unanswered, code)
            return
        suspect, *innocent = unanswered
        with self._lock:
            self.waiting.extendleft(reversed(innocent))
            again = suspect.number in self._tried
            if not again:
                self._tried.add(suspect.number)
                self._suspects.append(suspect)
        if again:
            detail = f"reading it ended a worker process twice (exit code {code})"
            self._deliver([Parsed(suspect.number, skip=Skip(Reason.QUARANTINED, detail))])

    def _after_failed_start(self, batch: tuple[Job, ...], code: int | None) -> None:
        with self._lock:
            self._failed_starts += 1
            self.waiting.extendleft(reversed(batch))
            if self._failed_starts >= FAILED_STARTS:
                self._failure = (
                    f"worker processes do not start (exit code {code}); set LURCHER_DEBUG=1 to see their errors"
                )
                self.waiting.clear()
                self._suspects.clear()

    def _end_stalled(self) -> None:
        with self._lock:
            for process in self._active:
                if process.is_stalled():
                    process.kill()
