"""Club nights: evenings on which a club plays, in the hall.

A *night* may be announced before; people reply with a link, and check in by the QR code at the
*door*. Organisers run it on the *desk*: the page with the rounds, tables and clocks of a night or
one tournament. The *display* is the page for the hall's screen. A *sitting* is a table in a round.

- ``services``: announce, begin and end nights; check people in and out; begin a tournament and seat
  one more table (``tonight``); close and reopen rounds.
- ``queries``: what desk, night and club pages show. ``display_layout``: columns on the screen.
- ``pages``: these, and the pages of a club, to print, and to search.
"""
