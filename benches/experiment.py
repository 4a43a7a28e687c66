#!/usr/bin/env python3
"""The experiment of the stack-abstraction paper: how many tasks each configuration of `cegar` solves, with and
without popping (its table 5.1).

    experiment.py [--tasks FOLDER] [--lists FOLDER] [--every N] [--time SECONDS] [--jobs N] [--only CATEGORY,...]

FOLDER holds the folder `c/` of the SV-COMP benchmark repository; the lists name its tasks, a category a list. Without
--tasks, the programs of the project's own corpus are taken, which carry their verdicts. The exit status is 1 if any
answer was wrong. Only the standard library is used.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

CONFIGURATIONS = {
    "EXPL_BFS": ["--domain", "explicit", "--refinement", "sequence", "--search", "bfs"],
    "EXPL_DFS": ["--domain", "explicit", "--refinement", "sequence", "--search", "dfs"],
    "PRED_BW": ["--domain", "predicates", "--refinement", "backward", "--search", "bfs"],
    "PRED_NWT": ["--domain", "predicates", "--refinement", "newton", "--search", "bfs"],
    "DEFAULT": [],
}

STACKS = {"NOPOP": ["--stack", "exact"], "POP": ["--stack", "pop"]}


def listed_task(root, name):
    """The arguments and the expected verdict of a task of the benchmark repository; None where it has none."""
    path = root / name
    text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
    inputs = re.search(r"^input_files:\s*['\"]?([^\s'\"]+)", text, re.M)
    verdict = re.search(r"property_file:\s*['\"]?(\S*unreach-call\.prp)['\"]?\s*\n\s*expected_verdict:\s*(true|false)", text)
    if inputs is None or verdict is None:
        return None
    model = re.search(r"data_model:\s*(\w+)", text)
    arguments = [str(path.parent / inputs[1]), "--property", str(path.parent / verdict[1])]
    arguments += ["--data-model", model[1] if model else "ILP32"]
    return arguments, "safe" if verdict[2] == "true" else "unsafe"


def corpus_task(path):
    """The same of a program of the corpus, whose first lines say what to expect and which options it needs."""
    header = "\n".join(path.read_text(encoding="utf-8").splitlines()[:3])
    expected = re.search(r"expect:\s*(safe|unsafe)\b", header)
    if expected is None:
        return None
    options = re.search(r"options:(.*)", header)
    return [str(path)] + (options[1].split() if options else []), expected[1]


def categories(arguments):
    if arguments.tasks is not None:
        found = {}
        for path in sorted(arguments.lists.glob("*.list")):
            names = (re.sub(r"#.*", "", line).strip() for line in path.read_text(encoding="utf-8").splitlines())
            found[path.stem] = [listed_task(arguments.tasks, name) for name in names if name]
    else:
        corpus = ROOT / "tests" / "corpus"
        found = {}
        for folder in sorted(corpus.iterdir()):
            programs = sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".gcl", ".tandem"))
            found[folder.name] = [corpus_task(path) for path in programs]
    wanted = arguments.only.split(",") if arguments.only else list(found)
    return {name: [task for task in found[name] if task][:: arguments.every] for name in wanted if found.get(name)}


def run(arguments, options, task):
    """Whether the verdict is right, which it is, and the seconds it took."""
    given, expected = task
    command = [str(arguments.tandem), "verify", "--engine", "cegar", *options, *given]
    command += ["--time-limit", f"{arguments.time}s", "--memory-limit", arguments.memory]
    start = time.monotonic()
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=arguments.time + 10)
    except subprocess.TimeoutExpired:
        return "unknown", expected, time.monotonic() - start
    last = ran.stdout.strip().rpartition("\n")[2]
    verdict = last.removeprefix("verdict: ") if last.startswith("verdict: ") else "unknown"
    return verdict, expected, time.monotonic() - start


def measure(arguments, tasks, options):
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda task: run(arguments, options, task), tasks))
    solved = [r for r in results if r[0] == r[1]]
    return {
        "safe": sum(r[0] == "safe" for r in solved),
        "unsafe": sum(r[0] == "unsafe" for r in solved),
        "wrong": sum(r[0] != "unknown" and r[0] != r[1] for r in results),
        "seconds": sum(r[2] for r in solved),
    }


def print_table(title, names, cells):
    print(f"\n{title}\n")
    print(f"{'':22}" + "".join(f"{name:>16}" for name in CONFIGURATIONS))
    print(f"{'':22}" + "".join(f"{stack:>8}" for _ in CONFIGURATIONS for stack in STACKS))
    for name, count in names.items():
        row = (cells[name, configuration, stack] for configuration in CONFIGURATIONS for stack in STACKS)
        print(f"{name + ' (' + str(count) + ')':22}" + "".join(f"{cell:>8}" for cell in row))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=pathlib.Path, help="the folder of the benchmark repository")
    parser.add_argument("--lists", type=pathlib.Path, default=ROOT / "benches" / "lists")
    parser.add_argument("--every", type=int, default=1, help="take every N-th task of a list")
    parser.add_argument("--time", type=int, default=10, help="seconds a task")
    parser.add_argument("--memory", default="8G", help="memory a task")
    parser.add_argument("--jobs", type=int, default=1, help="how many tasks run at once")
    parser.add_argument("--only", help="the categories to run, with commas between them")
    parser.add_argument("--tandem", type=pathlib.Path, default=ROOT / "target" / "release" / "tandem")
    arguments = parser.parse_args()
    if not arguments.tandem.exists():
        parser.error(f"{arguments.tandem} does not exist; build it first: cargo build --release")
    tasks = categories(arguments)
    if not any(tasks.values()):
        parser.error("there are no tasks")
    results = {}
    for category, own in tasks.items():
        for configuration, options in CONFIGURATIONS.items():
            for stack, policy in STACKS.items():
                found = measure(arguments, own, options + policy)
                results[category, configuration, stack] = found
                shown = f"{found['safe']} safe, {found['unsafe']} unsafe, {found['wrong']} wrong"
                print(f"{category} {configuration} {stack}: {shown}, {found['seconds']:.1f} s", file=sys.stderr)
    names = {category: len(own) for category, own in tasks.items()}
    solved = {key: found["safe"] + found["unsafe"] for key, found in results.items()}
    print_table(f"Solved tasks, {arguments.time} seconds each", names, solved)
    for field in ("safe", "unsafe"):
        print_table(f"Of these {field}", names, {key: found[field] for key, found in results.items()})
    print_table("Seconds for the solved ones", names, {key: f"{found['seconds']:.0f}" for key, found in results.items()})
    wrong = sum(found["wrong"] for found in results.values())
    print(f"\nwrong answers: {wrong}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
