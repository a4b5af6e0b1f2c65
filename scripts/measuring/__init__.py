"""What the scripts that measure share: task lists, running a program under limits, tables, plots.

Nothing but Python's standard library, so that a fresh machine can measure.
"""
