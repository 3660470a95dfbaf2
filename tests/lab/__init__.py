"""The laboratory: what measures the engines, and is no part of what people use.

- ``random_playout`` plays whole hands by lot, as fast as they can be played, for benchmarks;
- ``baselines``, ``reference_bots`` and ``perfect_information`` are opponents to measure a
  game's bots against, all of them listed by ``opponents``;
- ``positions`` lays out a readable state as the fast kernels see it, which tests hold them to;
- ``confidence`` says how sure a share is that was counted; ``python -m tests.lab arena`` lets
  any two bots meet and tells it.
"""
