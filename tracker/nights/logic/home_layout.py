"""Blocks of a club's front page and their order, by reader and by whether they play."""

from dataclasses import dataclass
from enum import StrEnum


class Block(StrEnum):
    """A part of the page; its template has the same name."""

    ME = "me"  # where I sit, how I stand, whether I deal
    DEALERS = "dealers"  # who deals at every table
    LEADERS = "leaders"
    CODE = "code"  # the way to a table, by the code on its card
    NIGHTS = "nights"  # the next ones, with a reply
    RUNNING = "running"
    RESULTS = "results"  # my last ones, and my form
    FINISHED = "finished"  # what was played last, and who won
    SEASON = "season"
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The blocks in their order; on a laptop ``aside`` is shown beside the others."""

    now: tuple[Block, ...]
    code: tuple[Block, ...]  # apart: it must not move while a code is being typed
    later: tuple[Block, ...]
    aside: tuple[Block, ...]


def layout(*, on: bool, plays: bool, organises: bool, belongs: bool) -> PageLayout:
    """Return the page for a reader: *on* while a night is played, *plays* who is known by name.

    >>> layout(on=True, plays=True, organises=False, belongs=True).now[0]
    <Block.ME: 'me'>
    >>> layout(on=True, plays=False, organises=False, belongs=False).code
    (<Block.CODE: 'code'>,)
    """
    stranger = not plays and not belongs
    if on:
        high = not plays and not organises
        return PageLayout(
            now=(*[Block.ME] * plays, Block.DEALERS, Block.LEADERS),
            code=(Block.CODE,) * high,
            later=(Block.RUNNING,),
            aside=(
                Block.NIGHTS,
                *[Block.JOIN] * stranger,
                *[Block.CODE] * (not high),
                Block.FINISHED,
            ),
        )
    return PageLayout(
        now=(
            Block.NIGHTS,
            *[Block.RESULTS] * plays,
            Block.LEADERS,
            Block.RUNNING,
            Block.FINISHED,
        ),
        code=(),
        later=(),
        aside=(Block.SEASON, *[Block.JOIN] * stranger, Block.CODE),
    )
