"""Recovery of logs from files that mail, an editor or a merge has changed."""

from __future__ import annotations

from typing import BinaryIO

from referee.record.log.log_ends import LogEnds, read_log_ends
from referee.record.log.log_errors import Fault
from referee.record.log.mail_damage import MERGED, SAID_TWICE, RecoveredLog, repair_mailed_log
from referee.record.log.same_but_times import is_same_but_times


def recover_log(file: BinaryIO, fault: Fault | None) -> RecoveredLog | LogEnds | Fault | None:
    """Looks for a log in a file that has a fault.

    Returns the log as it was written, or its ends if there are several. Returns a more exact fault if it finds one,
    otherwise None. `file` must be able to seek.
    """
    letter = repair_mailed_log(file, fault)
    if letter is not None:
        return letter
    ends = read_log_ends(file, fault)
    sole = find_only_end_to_keep(ends) if ends else None
    if ends is None or sole is None:
        return ends
    return RecoveredLog(ends.get_lines_of_end(sole), (MERGED if len(ends.tails) == 1 else SAID_TWICE,))


def find_only_end_to_keep(ends: LogEnds) -> int | None:
    """Returns the number of the end to keep, from 0; None if people have to choose.

    It is the only end, or one of two ends that hold the same entries at other times. Of two such ends, everybody keeps
    the longer one, and of equally long ones the same one.
    """
    if len(ends.tails) == 1:
        return 0
    if len(ends.tails) > 2 or not is_same_but_times(*ends.tails):
        return None
    return max((0, 1), key=lambda at: (len(ends.tails[at]), ends.tails[at][-1]))
