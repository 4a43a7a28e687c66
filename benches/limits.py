#!/usr/bin/env python3
"""Measures whether limits hold, for whole process trees.

usage: limits.py TASKS LIST [--tandem PATH] [--time 5] [--memory 300] [--count 20] [--memory-count 10]

TASKS is a folder with tasks in SV-COMP's format, LIST a file with one task file (.yml) a line, relative to TASKS. The
first --count of them are verified with a time limit, and it is told which take longer than a second, or a tenth of the
limit, more; the first --memory-count with a memory limit, and it is told where the sum of the processes' memory, looked at
every 5 milliseconds, is more than a tenth above it, and where the reason does not name the limit that was reached.
The exit status is 1 if any limit was passed.
"""
import argparse
import os
import re
import subprocess
import sys
import time

PAGE = os.sysconf("SC_PAGE_SIZE")


def children(pid):
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass
    return found


def proportional(pid):
    """The memory of a process, what it shares with others counted in proportion."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    except (OSError, IndexError, ValueError):
        return 0


def resident(pid):
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def tree(pid):
    found = [pid]
    for process in found:
        found += children(process)
    return found


def options_of(folder, task):
    path = os.path.join(folder, task)
    text = open(path).read()
    here = os.path.dirname(path)
    files = re.search(r"^input_files:\s*(.*(?:\n\s*-.*)*)", text, re.M).group(1)
    files = re.findall(r"[^\s'\"\[\],-][^\s'\"\[\],]*", files.replace("- ", " "))
    known = ["unreach-call", "no-data-race", "valid-memsafety", "no-overflow", "valid-memcleanup", "assert"]
    properties = [name for name in re.findall(r"property_file:\s*(\S+)", text) if "termination" not in name]
    rank = {name: place for place, name in enumerate(known)}
    properties.sort(key=lambda name: rank.get(os.path.basename(name).split(".")[0].split("_")[0], len(known)))
    model = re.search(r"data_model:\s*(\w+)", text)
    options = [os.path.join(here, name) for name in files]
    options += ["--property", os.path.join(here, properties[0])] if properties else []
    return options + (["--data-model", model.group(1)] if model and "Java" not in text else [])


def measure(command, look):
    """Runs the command; returns its output, the seconds it took, and the most memory seen."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    most = 0
    while look and process.poll() is None:
        processes = tree(process.pid)
        used = sum(map(resident, processes))
        if used > most:
            # What is shared is counted once, where that could matter.
            most = max(most, min(used, sum(map(proportional, processes)) or used) if used > look else used)
        time.sleep(0.005)
    output = process.communicate()[0].decode(errors="replace")
    return output, time.monotonic() - started, most


def said(output):
    lines = output.strip().splitlines()
    reason = next((line for line in lines if line.startswith("reason")), "")
    return (lines or [""])[-1], " ".join(reason.split()[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks")
    parser.add_argument("list")
    parser.add_argument("--tandem", default="target/release/tandem")
    parser.add_argument("--time", type=float, default=5, help="seconds")
    parser.add_argument("--memory", type=int, default=300, help="megabytes")
    parser.add_argument("--memory-time", type=float, default=60, help="seconds for the tasks with a memory limit")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--memory-count", type=int, default=10)
    args = parser.parse_args()
    lines = [line.split("#")[0].strip() for line in open(args.list)]
    tasks = [line.split()[0] for line in lines if line]
    passed = 0
    allowed = args.time + max(1, args.time / 10)
    for task in tasks[: args.count]:
        command = [args.tandem, "verify", *options_of(args.tasks, task), "--time-limit", f"{args.time}s"]
        output, seconds, _ = measure(command, 0)
        verdict, reason = said(output)
        mark = "PASSED" if seconds > allowed else "kept"
        passed += seconds > allowed
        print(f"{mark:6} {seconds:7.2f} s  {task}  {verdict}  {reason}", flush=True)
    allowed = args.memory * 11 // 10 << 20
    for task in tasks[: args.memory_count]:
        limits = ["--memory-limit", f"{args.memory}M", "--time-limit", f"{args.memory_time}s"]
        output, seconds, most = measure([args.tandem, "verify", *options_of(args.tasks, task), *limits], allowed)
        verdict, reason = said(output)
        is_named = "unknown" not in verdict or "limit" in reason or most < args.memory * 9 // 10 << 20
        mark = "PASSED" if most > allowed else "kept" if is_named else "UNSAID"
        passed += mark != "kept"
        print(f"{mark:6} {most >> 20:5} MB  {task}  {verdict}  {reason}", flush=True)
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
