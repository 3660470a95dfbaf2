"""The site as it stands on the internet: https, by a certificate of the tests' own authority.

HAProxy ends https before the site, and is what a phone can lose. The browser believes the authority
because it stands in its own list, as a real one does: told to overlook certificates it would show
pages, and refuse to install anything.
"""

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page

from tests import machine
from tests.browser.visiting import HALL, PATIENCE, PHONE, arguments
from tests.postgresql import free_port
from tests.serving import Site, serving

_PROXY = """
global
    maxconn 200
defaults
    mode http
    option forwardfor
    timeout connect 5s
    timeout client 5m
    timeout server 5m
    retries 0
frontend phones
    bind 127.0.0.1:{port} ssl crt {certificate} alpn h2,http/1.1
    http-request set-header X-Forwarded-Proto https
    {astray}
    default_backend kula
backend kula
    server kula 127.0.0.1:{behind}
"""
_NOTHING = 'http-request return status 404 content-type text/plain string "404 page not found"'


@dataclass(frozen=True, slots=True)
class Authority:
    """Whoever says that a site is who it says it is; its *folder* has what it signs with."""

    folder: Path

    def __post_init__(self) -> None:
        _openssl(self.folder, "ca", "/CN=The authority of Kula's tests")

    def certificate(self, host: str) -> Path:
        """Sign a certificate for *host*, and return the file of it and its key."""
        signed = ("-CA", "ca.crt", "-CAkey", "ca.key")
        plain = ("basicConstraints=critical,CA:FALSE", f"subjectAltName=DNS:{host}")
        extensions = (word for extension in plain for word in ("-addext", extension))
        _openssl(self.folder, host, f"/CN={host}", *signed, *extensions)
        file = self.folder / f"{host}.pem"
        file.write_text("".join((self.folder / f"{host}.{end}").read_text() for end in _ENDS))
        return file

    def trust(self, home: Path) -> None:
        """Have the browsers of whoever lives at *home* believe this authority."""
        store = home / ".pki/nssdb"
        store.mkdir(parents=True, exist_ok=True)
        for asked in (
            ("-N", "--empty-password"),
            ("-A", "-n", "kula", "-t", "C,,", "-i", self.folder / "ca.crt"),
        ):
            subprocess.run([machine.certutil(), "-d", f"sql:{store}", *asked], check=True)


_ENDS = ("crt", "key")


def _openssl(folder: Path, name: str, subject: str, *more: str) -> None:
    command = [
        machine.openssl(), "req", "-x509", "-days", "2", "-subj", subject, *more,
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-keyout", f"{name}.key", "-out", f"{name}.crt",
    ]  # fmt: skip
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@dataclass
class Network:
    """The way from the phones to the site, which can be cut, or lead astray."""

    port: int
    settings: Path
    behind: int = 0
    certificate: Path = Path()
    astray: bool = False
    # In the test that runs: a browser may report a failed request after the network is back.
    was_cut: bool = False
    was_astray: bool = False
    process: subprocess.Popen[bytes] | None = None

    def mend(self) -> None:
        if self.astray:
            self.cut()
        if self.process is None:
            self._open()

    def lead_astray(self) -> None:
        """Answer whatever is asked as a proxy does that finds no site behind it."""
        self.was_astray = True
        self.cut()
        self._open(astray=True)

    def _open(self, *, astray: bool = False) -> None:
        self.astray = astray
        self.settings.write_text(
            _PROXY.format(
                port=self.port,
                certificate=self.certificate,
                behind=self.behind,
                astray=_NOTHING if astray else "",
            )
        )
        self.process = subprocess.Popen([machine.haproxy(), "-db", "-f", self.settings])
        pause = threading.Event()
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                pause.wait(0.05)
            else:
                return
        raise AssertionError(self.process.poll())

    def stall(self) -> None:
        """Let nothing through for a while, and refuse nothing."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def cut(self) -> None:
        if self.process is None:
            return
        self.was_cut = True
        self.process.kill()
        self.process.wait()
        self.process = None


@dataclass(frozen=True, slots=True)
class Secured:
    """A site, the way to it, and who vouches for it."""

    site: Site
    network: Network
    authority: Authority

    @property
    def url(self) -> str:
        return f"https://{HALL}:{self.network.port}"


def environment(network: Network) -> dict[str, str]:
    """Return what the site has to know of itself."""
    return {"KULA_URL": f"https://{HALL}:{network.port}", "DATABASE_URL": ""}


@contextmanager
def secured(folder: Path) -> Iterator[Secured]:
    """Serve a site of its own by https, with everything it keeps in *folder*."""
    authority = Authority(folder)
    network = Network(free_port(), folder / "haproxy.cfg")
    with serving(folder / "kula", "--workers", "1", environment=environment(network)) as site:
        network.certificate, network.behind = authority.certificate(HALL), site.port
        network.mend()
        try:
            yield Secured(site, network, authority)
        finally:
            network.cut()


@dataclass
class Phone:
    """A phone on which the site can be installed, and what its pages complained of."""

    secured: Secured
    context: BrowserContext
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.set_default_timeout(PATIENCE)
        self.context.on("console", lambda said: self._note(said.text))
        self.context.on("weberror", lambda error: self._note(str(error.error)))

    def _note(self, complaint: str) -> None:
        network = self.secured.network
        cut = network.was_cut and "net::ERR_" in complaint
        if not cut and not (network.was_astray and "status of 404" in complaint):
            self.complaints.append(complaint)

    def forgive(self, *words: str) -> None:
        """Take complaints back that have any of these words."""
        self.complaints[:] = [
            said for said in self.complaints if not any(each in said for each in words)
        ]

    @property
    def page(self) -> Page:
        """Return its only page."""
        (page,) = self.context.pages
        return page


@contextmanager
def phone(browser: Browser, secured: Secured, home: Path) -> Iterator[Phone]:
    """Switch a phone on, which keeps at *home* what it knew when it was last switched off.

    Whatever its pages complain of fails the test, but for what cannot be reached without a network.
    """
    if not home.exists():
        secured.authority.trust(home)
    context = browser.browser_type.launch_persistent_context(
        home / "profile",
        executable_path=machine.whole_chromium(),
        args=arguments(),
        env={**os.environ, "HOME": str(home)},
        base_url=secured.url,
        reduced_motion="reduce",
        **PHONE,
    )
    on = Phone(secured, context)
    try:
        yield on
    finally:
        context.close()
    assert not on.complaints, "\n".join(on.complaints)
