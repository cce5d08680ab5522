"""A hand as a GIF: a picture after every move, with what was done below it.

Pictures are drawn by pygame, which needs no display for it, and put together by Pillow. All share
one palette, so that from picture to picture only what has changed is stored.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...envs.card_faces import ON_FELT
from ...envs.picture import Painter
from ..runs import write
from .sheet import how_it_ended
from .sitting import Sitting
from .watch import Pace, moves

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 800
"""Of the pictures, in pixels."""
COLOURS = 64
FIRST, LAST = 1.5, 4.0
"""Seconds that the deal and the end are shown."""


def check_name(path: Path | None) -> None:
    """Refuse a file whose name is not that of a GIF."""
    if path is not None and path.suffix.lower() != ".gif":
        raise ValueError(f"{path} is not a name for a GIF: it should end with .gif")


def film(sitting: Sitting, path: Path, pace: Pace) -> str:
    """Let the players play, and write it to a file.

    Returns:
        A sentence that says what was made.

    Raises:
        OSError: it cannot be written.
    """
    pictures = list(_pictures(sitting, pace))
    times = [1 / pace.speed] * len(pictures)
    times[0], times[-1] = max(FIRST, times[0]), max(LAST, times[-1])
    content = gif(pictures, times)
    write(path, content)
    return f"{path}: {len(pictures)} pictures, {len(content) / 1e6:.1f} MB"


def _pictures(sitting: Sitting, pace: Pace) -> Iterator[Any]:
    """The table at the deal, and after every move."""
    painter = Painter(False, 0)

    def draw(caption: str) -> Any:
        table = sitting.table
        where = (table.game, table.states, 0, table.kits, table.rules, sitting.see)
        return painter.draw(*where, sitting.titles, caption)

    yield draw("The cards are dealt.")
    for _ in moves(sitting, pace.hands or 1):
        event = sitting.events[-1]
        name = sitting.labels[event.seat]
        yield draw(f"{name} {event.text(False)}")
        if sitting.table.over != "no":
            yield draw(how_it_ended(sitting))


def gif(pictures: list[Any], times: list[float]) -> bytes:
    """Pictures, uint8 of shape (height, width, 3), as a GIF that runs for ever.

    Args:
        times: how many seconds each is shown.
    """
    from PIL import Image

    small = [_shrunk(picture) for picture in pictures]
    some = [small[n * (len(small) - 1) // 3] for n in range(4)]  # from which the palette is made
    width, height = small[0].size
    sample = Image.new("RGB", (width, height * len(some)))
    for n, picture in enumerate(some):
        sample.paste(picture, (0, n * height))
    palette = sample.quantize(COLOURS, Image.Quantize.MEDIANCUT)
    kept = (palette.getpalette() or [])[: 3 * COLOURS]  # words are too small to count for much
    palette.putpalette([*kept, *(part for colour in ON_FELT.values() for part in colour)])
    frames = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in small]
    file = io.BytesIO()
    frames[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[round(1000 * seconds) for seconds in times],
        loop=0,
        optimize=False,
    )
    return file.getvalue()


def _shrunk(picture: Any) -> "Image":
    from PIL import Image

    whole = Image.fromarray(picture)
    height = round(whole.height * WIDTH / whole.width)
    return whole.resize((WIDTH, height), Image.Resampling.BOX)
