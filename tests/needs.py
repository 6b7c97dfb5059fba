"""What some tests cannot do without: reasons to skip them, which a run sums up at its end."""

from __future__ import annotations

REAL_DATA = "needs real data (set FRUGALBOOST_DATA)"
CHROMIUM = "needs Chromium (apt install chromium)"
