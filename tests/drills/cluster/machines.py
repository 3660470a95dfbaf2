"""A node's processes: started, killed, hung and reset, as a whole machine would be."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests import machine
from tests.drills.cluster.configuration import Node, of_etcd, of_patroni
from tests.postgresql import children

_ENVIRONMENT = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
_CLOSES_WITHIN = 20  # seconds


def started(command: Sequence[object], log: Path) -> "subprocess.Popen[bytes]":
    """Start a program that is no program of root's, out of reach of a terminal's Ctrl-C."""
    with log.open("ab") as said:
        return subprocess.Popen(
            [str(part) for part in command],
            stdout=said,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd="/",
            env=_ENVIRONMENT,
            start_new_session=True,
            user="postgres" if os.geteuid() == 0 else None,
            group="postgres" if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
        )


@dataclass(slots=True)
class Machine:
    """One running node."""

    node: Node
    nodes: Sequence[Node]
    synchronous: bool = True
    programs: "list[subprocess.Popen[bytes]]" = field(default_factory=list)
    hung: list[int] = field(default_factory=list)

    def start(self) -> None:
        """Start etcd and Patroni, which starts PostgreSQL: at first, or after ``kill``."""
        folder = self.node.folder
        if not folder.exists():
            folder.mkdir()
            if os.geteuid() == 0:
                shutil.chown(folder, "postgres", "postgres")
            configuration = of_patroni(
                self.node, self.nodes, machine.postgresql(), synchronous=self.synchronous
            )
            (folder / "patroni.yml").write_text(json.dumps(configuration, indent=1))
        etcd = [machine.etcd(), *of_etcd(self.node, self.nodes)]
        patroni = [*machine.patroni(), folder / "patroni.yml"]
        self.programs = [started(etcd, folder / "etcd.log")]
        self.programs.append(started(patroni, folder / "patroni.log"))

    def kill(self) -> None:
        """Take the machine away: nothing on it runs another instruction."""
        self._signal(signal.SIGKILL, self._processes(self.programs))
        for program in self.programs:
            program.wait()

    def hang(self) -> None:
        """Stop everything where it is; connections stay open and nobody answers."""
        self.hung = self._processes(self.programs)
        self._signal(signal.SIGSTOP, self.hung)

    def reset(self) -> None:
        """Kill and start a machine that hangs, as its watchdog does.

        Trap: one that is woken instead may take the lead back: see ``RESULTS.md``.
        """
        self.kill()
        self.hung = []
        self.start()

    def fall_behind(self) -> None:
        """Kill PostgreSQL alone, and keep Patroni from starting it again until ``wake``.

        A PostgreSQL that only hung would find in its sockets all that was sent meanwhile.
        """
        self.hung = [self.programs[1].pid]
        self._signal(signal.SIGSTOP, self.hung)
        self._signal(signal.SIGKILL, self._processes([]))

    def wake(self) -> None:
        """Let what hung go on, as if nothing had been."""
        self._signal(signal.SIGCONT, self.hung)
        self.hung = []

    def ask_to_close(self) -> None:
        """Ask Patroni, which closes PostgreSQL, and leave etcd to it until then."""
        self.wake()
        for program in self.programs[1:]:
            program.terminate()

    def close(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            for program in self.programs[1:]:
                program.wait(_CLOSES_WITHIN)
        self.kill()

    def _processes(self, programs: "Sequence[subprocess.Popen[bytes]]") -> list[int]:
        """Return these programs and PostgreSQL, those first that would start others again."""
        pids = [program.pid for program in programs if program.poll() is None]
        with suppress(FileNotFoundError, IndexError, ValueError):
            lines = (self.node.folder / "data/postmaster.pid").read_text().splitlines()
            pids.append(int(lines[0]))
        for pid in pids:
            pids.extend(child for child in children(pid) if child not in pids)
        return pids

    @staticmethod
    def _signal(number: int, pids: Sequence[int]) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
