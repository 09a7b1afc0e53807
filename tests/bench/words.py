"""Measure how hard it is to read what players read, and write the table in README.md: `grades.py` says how."""

import grades

if __name__ == "__main__":
    grades.main()
