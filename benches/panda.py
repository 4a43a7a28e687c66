#!/usr/bin/env python3
"""Table 1 of the PANDA paper: its programs by the engine `panda`, beside what the paper reports of the original tool.

    panda.py [--programs FOLDER] [--time SECONDS] [--tandem PROGRAM] [--only NAME,...]

FOLDER is `src/benchmarks` of the repository d3sformal/panda, or a folder that holds it; without it nothing is measured.
The exit status is 1 if an answer was wrong. Only the standard library is used.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

# Name, file, property, where it starts; the paper's seconds, states, refinements, predicates and queries, none where
# it did not come to an end in two hours.
SAFE = [
    ("Array", "svcomp/loops/ArrayTrueUnreachableLabel.java", "assert", None, (4, 38, 0, 7, 1802)),
    ("Eureka 01", "svcomp/loops/Eureka01TrueUnreachableLabel.java", "assert", None, (23, 741, 0, 53, 11462)),
    ("TREX 03", "svcomp/loops/TREX03TrueUnreachableLabel.java", "assert", None, (21, 1425, 0, 9, 14371)),
    ("Invert String", "svcomp/loops/InvertStringTrueUnreachableLabel.java", "assert", None, (6, 126, 0, 18, 2728)),
    ("Password", "svcomp/arrays/Password.java", "assert", "svcomp.arrays.Password.test", (22, 870, 0, 19, 12837)),
    ("Reverse Array", "svcomp/arrays/ReverseArray.java", "assert", "svcomp.arrays.ReverseArray.test", (5, 135, 0, 18, 2358)),
    ("Two Indices", "svcomp/arrays/TwoIndices.java", "assert", "svcomp.arrays.TwoIndices.test", (4, 55, 0, 15, 1921)),
    ("Data-flow Analysis", "dataflow/DataFlowAnalysis.java", "no-exception", None, (379, 508, 0, 64, 8159)),
    ("Cycling Race", "cycling/CyclingRace.java", "no-exception", None, (5, 87, 0, 28, 2151)),
    ("Image Rendering", "image/Image.java", "no-exception", None, None),
    ("Scheduler", "scheduler/Scheduler.java", "no-exception", None, (5, 108, 0, 35, 2185)),
    ("Alarm Clock", "alarmclock/SerialAlarmClock.java", "assert", None, (970, 21200, 0, 20, 87628)),
    ("Producer-Consumer", "prodcons/SerialProducerConsumer.java", "assert", None, None),
]

# Programs of the same folder with an error, which the paper has no figures of.
UNSAFE = [
    ("Array, false", "svcomp/loops/ArrayFalseUnreachableLabel.java", "assert", None, None),
    ("Eureka 01, false", "svcomp/loops/Eureka01FalseUnreachableLabel.java", "assert", None, None),
    ("Vogal, false", "svcomp/loops/VogalFalseUnreachableLabel.java", "assert", None, None),
    ("Invert String, false", "svcomp/loops/InvertStringFalseUnreachableLabel.java", "assert", None, None),
    ("Addition 03, false", "svcomp/recursive/Addition03FalseUnreachableLabel.java", "assert", None, None),
]


def folder_of(programs):
    """The folder with the programs: the one that was named, or one in it."""
    for inner in ("", "src/benchmarks", "benchmarks"):
        found = programs / inner
        if (found / SAFE[0][1]).is_file():
            return found
    return None


def measure(arguments, folder, program):
    """The verdict, the seconds and the statistics of one program."""
    _, file, prop, main, _ = program
    command = [arguments.tandem, "verify", "--engine", "panda", "--json", "--property", prop]
    command += ["--time-limit", f"{arguments.time}s", str(folder / file)]
    command += ["--main", main] if main else []
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.monotonic() - start
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return "failed", seconds, {}
    return result["verdict"], seconds, result["statistics"]


def row(cells):
    widths = (21, 8, 8, 8, 5, 6, 8, 8, 8, 5, 6, 8)
    print("  ".join(str(cell).ljust(width) if n < 2 else str(cell).rjust(width)
                    for n, (cell, width) in enumerate(zip(cells, widths))).rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--time", type=int, default=10)
    parser.add_argument("--tandem", default="target/release/tandem")
    parser.add_argument("--only")
    arguments = parser.parse_args()
    if arguments.programs is None:
        print("table 1 of the PANDA paper is left out: PANDA names no folder with its programs "
              "(src/benchmarks of github.com/d3sformal/panda)")
        return 0
    folder = folder_of(arguments.programs)
    if folder is None:
        print(f"table 1 of the PANDA paper is left out: {arguments.programs} does not hold its programs")
        return 0
    print("table 1 of the PANDA paper: |S| states, #ref refinements, |abs| predicates at a location, #sat queries\n")
    row(("", "verdict", "seconds", "|S|", "#ref", "|abs|", "#sat", "PANDA: s", "|S|", "#ref", "|abs|", "#sat"))
    wrong, solved, total = 0, 0, 0.0
    for expected, programs in (("safe", SAFE), ("unsafe", UNSAFE)):
        for program in programs:
            name, *_, paper = program
            if arguments.only and name not in arguments.only.split(","):
                continue
            verdict, seconds, found = measure(arguments, folder, program)
            wrong += verdict not in (expected, "unknown")
            solved += verdict == expected
            total += seconds
            own = [found.get(key, "") for key in ("states", "refinements", "predicates", "queries")]
            theirs = ("",) * 5 if expected == "unsafe" else paper or ("timeout", "", "", "", "")
            row((name, verdict, f"{seconds:.1f}", *own, *theirs))
    print(f"\n{solved} as expected, {wrong} wrong, {total:.1f} s in all")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
