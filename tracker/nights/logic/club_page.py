"""Layout of a club's page: the order of its blocks for a reader, and a bar chart of results."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

# The bar chart, in pixels.
BAR_HEIGHT, BAR_WIDTH, BAR_GAP, LEAST_BAR = 44, 18, 6, 3


class Block(StrEnum):
    """A part of the page, named like its template."""

    ME = "me"  # the reader's table, place, and when they deal
    DEALERS = "dealers"  # who deals at every table
    LEADERS = "leaders"
    CODE = "code"  # a field for the code on a table's card
    NIGHTS = "nights"  # the next club nights, with a reply
    RUNNING = "running"  # tournaments that are not finished
    RESULTS = "results"  # the reader's latest results
    FINISHED = "finished"  # the latest finished tournaments and their winners
    SEASON = "season"
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The blocks in order; on a wide screen ``aside`` stands beside the others."""

    now: tuple[Block, ...]
    code: tuple[Block, ...]  # its own part: it must not move while a code is being typed
    later: tuple[Block, ...]
    aside: tuple[Block, ...]


def layout(*, on: bool, plays: bool, organises: bool, belongs: bool) -> PageLayout:
    """Return the layout for a reader: *on* while a night is played, *plays* if they are a player.

    >>> layout(on=True, plays=True, organises=False, belongs=True).now[0]
    <Block.ME: 'me'>
    >>> layout(on=True, plays=False, organises=False, belongs=False).code
    (<Block.CODE: 'code'>,)
    """
    stranger = not plays and not belongs
    if on:
        code_first = not plays and not organises
        return PageLayout(
            now=(*[Block.ME] * plays, Block.DEALERS, Block.LEADERS),
            code=(Block.CODE,) * code_first,
            later=(Block.RUNNING,),
            aside=(
                Block.NIGHTS,
                *[Block.JOIN] * stranger,
                *[Block.CODE] * (not code_first),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultBars:
    """A bar for each of a player's results, the latest last: the share of opponents they beat."""

    in_words: str
    beaten: tuple[Fraction, ...]  # from 0 to 1

    @property
    def width(self) -> int:
        """Return the width of the chart.

        >>> ResultBars(in_words="", beaten=(Fraction(1), Fraction(1, 2))).width
        42
        """
        return len(self.beaten) * (BAR_WIDTH + BAR_GAP) - BAR_GAP

    @property
    def bars(self) -> tuple[tuple[int, int, int], ...]:
        """Return left, top and height of each bar; even a last place has a low one.

        >>> ResultBars(in_words="", beaten=(Fraction(1), Fraction(0))).bars
        ((0, 0, 44), (24, 41, 3))
        """
        heights = [max(LEAST_BAR, round(BAR_HEIGHT * share)) for share in self.beaten]
        return tuple(
            (index * (BAR_WIDTH + BAR_GAP), BAR_HEIGHT - height, height)
            for index, height in enumerate(heights)
        )
