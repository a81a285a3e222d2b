"""Every size that an entry of a portfolio and its pictures can run into, in one place."""

from __future__ import annotations

from typing import Final

from futura.limits.rates import DAY_S, HOUR_S, MINUTE_S, Rate, Window

MiB: Final = 1024 * 1024

# Words
TITLE_CHARS: Final = 200
SUMMARY_CHARS: Final = 400
TEXT_CHARS: Final = 10_000  # of a text field without a limit of its own
WORDS_EACH: Final = 40  # texts in a list such as tags or technologies
WORD_CHARS: Final = 80
BULLETS: Final = 40
BULLET_CHARS: Final = 500
LEAST_WORDS: Final = 40  # of the blocks, to publish (DECISIONS 43)
ENTRIES: Final = 300  # of one portfolio

# what stands at /p/<portfolio>/…; an entry's address must be another
RESERVED: Final = frozenset(
    """about ask contact image kept new sitemap.xml visit widget widget.js work""".split()
)

# Pictures
UPLOAD_BYTES: Final = 20 * MiB  # one file, as a phone takes it
UPLOADS_AT_ONCE: Final = 20
MOST_PIXELS: Final = 60_000_000  # unpacked: 180 MB, before anything is read
LONGEST_SIDE: Final = 20_000
SHORTEST_SIDE: Final = 8
STORED_SIDE: Final = 2_400  # what is kept of a larger one
SIZES: Final = (480, 960, 1_600)  # widths that pages ask for
PICTURES_OF_ENTRY: Final = 60
PICTURES: Final = 400  # of one portfolio, shown
STORED_PICTURES: Final = 1_200  # with those that an undo may bring back
ALT_CHARS: Final = 300
CAPTION_CHARS: Final = 300

UPLOAD: Final = Rate(
    "pictures",
    person=(Window(60, MINUTE_S), Window(600, HOUR_S), Window(2_000, DAY_S)),
    address=(Window(600, MINUTE_S),),
)
