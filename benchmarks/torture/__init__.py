"""Attacks on the library for a given time: broken files, killed processes, full disks, lost models.

Run ``make torture HOURS=1``, or ``python -m torture`` in this folder's parent.
"""
