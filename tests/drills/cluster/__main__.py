"""Start the cluster, say where it is, and close it with Ctrl-C."""

import signal
import threading

from tests.drills.cluster import cluster


def main() -> None:
    """Keep the cluster until somebody asks for its end."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    print("Three PostgreSQL, a Patroni and an etcd for each: half a minute …", flush=True)
    with cluster() as running:
        print(f"\n  DATABASE_URL='{running.url}'\n  or, by HAProxy, '{running.proxied_url}'\n")
        for here in running.machines:
            print(f"  {here.node.name:<6} {here.node.rest_url}/cluster   {here.node.folder}")
        print("\n  Ctrl-C closes it, and removes all of it.", flush=True)
        ended.wait()
    print("Closed.")


if __name__ == "__main__":
    main()
