"""Date formats of English pages, by Django's names for them.

Dates without a year have a weekday, which people at a club remember better.
"""

DATE_FORMAT = "j M Y"  # 21 Nov 2026
DATETIME_FORMAT = "j M Y, H:i"  # 21 Nov 2026, 19:00
MONTH_DAY_FORMAT = "D j M"  # Sat 21 Nov
SHORT_DATETIME_FORMAT = "D j M, H:i"  # Sat 21 Nov, 19:00
TIME_FORMAT = "H:i"
