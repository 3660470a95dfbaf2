"""What is posted, to which addresses only, and what becomes of an answer that is late or odd."""

import hmac
import socket
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from time import monotonic
from uuid import UUID, uuid4

import pytest
from standardwebhooks import Webhook as Verifier, WebhookVerificationError

from tests.postgresql import free_port
from tests.receiver import Answer, Receiver, drip, hang, receiving, say
from tracker.models.programs import new_webhook_secret
from tracker.webhooks.logic.posting import NotDelivered, is_public, post
from tracker.webhooks.services.sending import signed_headers

PRIVATE = (
    *("127.0.0.1", "127.8.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1"),
    *(
        "192.0.0.192",
        "192.88.99.1",
        "168.63.129.16",
        "169.254.169.254",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
    ),
    *("::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1"),
    *("2002:101:101::1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:1:2:3:4:80ff:fffe", "100::1"),
)
PUBLIC = (
    *("1.1.1.1", "93.184.216.34", "2606:4700::1111"),
    *("::ffff:1.1.1.1", "64:ff9b::1.1.1.1"),
)
NAMED = "http://club.example:{}/kula?x=1"


@contextmanager
def _says(answer: bytes) -> Iterator[str]:
    """Listen once, and answer with these bytes; give the address."""

    def answer_once() -> None:
        line, _ = server.accept()
        with line:
            line.recv(10_000)
            line.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer_once)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def refusal(url: str, *resolved: str, loopback: str = "", longest: float = 5.0) -> str:
    """Post to an address, whose name leads there, and return why it was not delivered."""
    with pytest.raises(NotDelivered) as failure:
        post(
            url,
            {},
            b"{}",
            loopback=loopback,
            resolve=(lambda _host, _port: resolved) if resolved else None,
            longest=longest,
        )
    return str(failure.value)


def _knows_no_name(_host: str, _port: int) -> list[str]:
    raise socket.gaierror


@pytest.mark.parametrize("address", PRIVATE)
def test_no_connection_is_made_to_a_private_address(address: str) -> None:
    assert not is_public(address)
    assert "private network" in refusal("https://club.example/", address)
    # Nor if only one of the addresses of a name is private.
    assert "private network" in refusal("https://club.example/", "1.1.1.1", address)


def test_public_addresses_are_known() -> None:
    assert [address for address in PUBLIC if not is_public(address)] == []


def test_names_of_this_machine_are_resolved_before_they_are_checked() -> None:
    with receiving() as receiver:
        for host in ("localhost", "127.1", "2130706433", "0x7f000001", "[::ffff:7f00:1]"):
            assert "private network" in refusal(f"http://{host}:{receiver.port}/"), host
    assert receiver.heard == []


def test_what_was_checked_is_connected_to_and_the_name_is_asked_once() -> None:
    asked: list[tuple[str, int]] = []
    with receiving() as receiver:

        def resolve(host: str, port: int) -> list[str]:
            asked.append((host, port))
            return ["127.0.0.1"]

        url = NAMED.format(receiver.port)
        answer = post(url, {"X": "1"}, b"{}", loopback=receiver.address, resolve=resolve)

    assert (answer, asked) == ("204 No Content", [("club.example", receiver.port)])
    [heard] = receiver.heard
    assert (heard.path, heard.body) == ("/kula?x=1", b"{}")
    assert heard.headers["Host"] == f"club.example:{receiver.port}"


def test_an_address_of_ipv6_is_posted_to() -> None:
    with receiving() as receiver:
        post(
            f"http://[2606:4700::abcd]:{receiver.port}/",
            {},
            b"{}",
            loopback=receiver.address,
            resolve=lambda _host, _port: ["127.0.0.1"],
        )

    [heard] = receiver.heard
    assert heard.headers["Host"] == f"[2606:4700::abcd]:{receiver.port}"


def test_only_the_one_port_of_this_machine_is_allowed() -> None:
    with receiving() as receiver, receiving() as another:
        reason = refusal(NAMED.format(another.port), "127.0.0.1", loopback=receiver.address)

    assert ("private network" in reason, another.heard) == (True, [])


@pytest.mark.parametrize("status", [301, 302, 307, 400, 404, 410, 500, 503])
def test_only_a_success_is_one_and_no_redirect_is_followed(status: int) -> None:
    with receiving() as receiver, receiving() as another:
        receiver.answers["/"] = say(status, Location=f"http://{another.address}/")
        url = f"http://{receiver.address}/"
        reason = refusal(url, loopback=receiver.address)

    assert reason.startswith(f"{status} ")
    assert (len(receiver.heard), another.heard) == (1, [])


@pytest.mark.parametrize("badly", [hang, drip])
def test_an_attempt_ends_at_its_deadline(badly: Callable[[Receiver], Answer]) -> None:
    with receiving() as receiver:
        receiver.answers["/"] = badly(receiver)
        begun = monotonic()
        reason = refusal(f"http://{receiver.address}/", loopback=receiver.address, longest=0.5)

    assert (reason, monotonic() - begun < 5) == ("No answer within ten seconds.", True)


def test_who_accepts_and_says_nothing_of_tls_is_cut_off_as_well() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        reason = refusal(f"https://{address}/", loopback=address, longest=0.5)

    assert reason == "No answer within ten seconds."


def test_what_goes_wrong_is_said() -> None:
    nobody = f"127.0.0.1:{free_port()}"
    assert refusal(f"http://{nobody}/", loopback=nobody) == "It cannot be reached."
    with pytest.raises(NotDelivered, match="unknown"):
        post("http://club.example/", {}, b"{}", resolve=_knows_no_name)
    with receiving() as receiver:
        reason = refusal(f"https://{receiver.address}/", loopback=receiver.address)
        assert "certificate" in reason
    with _says(b"SMTP is spoken here\r\n\r\n") as address:
        assert "not HTTP" in refusal(f"http://{address}/", loopback=address)
    with _says(b"") as address:
        assert "cannot be reached" in refusal(f"http://{address}/", loopback=address)


def test_the_signature_is_as_the_specification_says() -> None:
    headers = signed_headers(
        UUID(int=1),
        b'{"test": 2432232314}',
        secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        now=datetime.fromtimestamp(1614265330, UTC),
    )

    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = f'{headers["webhook-id"]}.1614265330.{{"test": 2432232314}}'
    signature = b64encode(hmac.new(key, signed.encode(), sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{signature}"
    assert headers["webhook-timestamp"] == "1614265330"


def test_receivers_verify_the_signature() -> None:
    secret, uid, body, now = new_webhook_secret(), uuid4(), '{"ä": 1}'.encode(), datetime.now(UTC)
    headers = signed_headers(uid, body, secret=secret, now=now)

    assert Verifier(secret).verify(body, headers) == {"ä": 1}
    assert headers["webhook-id"] == f"msg_{uid.hex}"
    assert len(b64decode(secret.removeprefix("whsec_"))) == 32
    for key, said, given in (
        (secret, body + b" ", headers),
        (secret, body, {**headers, "webhook-id": "msg_0"}),
        (new_webhook_secret(), body, headers),
    ):
        with pytest.raises(WebhookVerificationError):
            Verifier(key).verify(said, given)
