"""Date formats of English pages, by Django's names for them."""

DATE_FORMAT = "j M Y"  # 21 Nov 2026
DATETIME_FORMAT = "j M Y, H:i"  # 21 Nov 2026, 19:00
MONTH_DAY_FORMAT = "D j M"  # Fri 21 Nov: where the year is clear
SHORT_DATETIME_FORMAT = "D j M, H:i"  # Fri 21 Nov, 19:00
TIME_FORMAT = "H:i"
