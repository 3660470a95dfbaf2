"""What several packages share.

- Who acts, and the log of it: ``actor``, ``audit_log``; refusals: ``errors``, ``forms``
- Text: ``names``, ``figures``, ``wording`` (sentences of the games), ``sheet_lines``
- Tables of rows (``columns``), uploads, posters; files on the disk, the server's log, CPU priority
- ``web``: who may read a page, cookies, polling, exports, error pages
"""
