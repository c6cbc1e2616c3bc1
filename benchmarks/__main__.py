"""``python -m benchmarks [question ...]``: race, print the tables, write the results."""

import argparse
import importlib
from pathlib import Path
from types import ModuleType

from benchmarks import report
from benchmarks.race import DATA, Options, Table

QUESTIONS = (
    "gaussian",
    "discriminant",
    "categorical",
    "sparse",
    "latency",
    "startup",
    "memory",
    "mixed",
    "training",
    "spam",
    "tables",
    "text",
    "textquality",
)
MODULES = {"textquality": "text_quality"}
RESULTS = Path(__file__).parent / "results"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratio tables against scikit-learn.")
    parser.add_argument("question", nargs="*", default=[], help=f"one or more of {', '.join(QUESTIONS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="small data, nothing written unless --results is given")
    parser.add_argument("--rounds", type=int, help="laps of each contestant (default 5, with --quick 2)")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for one race (default 60)")
    parser.add_argument("--results", type=Path, help="where the Markdown pages go (default benchmarks/results)")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real tables, if there is one")
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.question) - set(QUESTIONS)):
        parser.error(f"unknown question {', '.join(unknown)}; there are {', '.join(QUESTIONS)}")
    return chosen


def ask(module: ModuleType, options: Options) -> list[Table]:
    """Answer one question, printing every table as soon as it is there."""
    tables = []
    for table in module.tables(options):
        report.say(report.plain(table) + "\n")
        tables.append(table)
    return tables


def write(folder: Path, question: str, module: ModuleType, tables: list[Table], command: str) -> None:
    """Write the page of one question."""
    folder.mkdir(parents=True, exist_ok=True)
    text = report.page(module.TITLE, module.QUESTION, command, tables)
    (folder / f"{question}.md").write_text(text, encoding="utf-8")


def main() -> int:
    """Ask the chosen questions; 1 if a result differed from the peer's."""
    chosen = arguments()
    options = Options(chosen.quick, chosen.rounds or (2 if chosen.quick else 5), chosen.budget, chosen.data)
    folder = chosen.results or (None if chosen.quick else RESULTS)
    report.say(report.machine() + "\n")
    wrong, missed = [], 0
    for question in chosen.question or QUESTIONS:
        module = importlib.import_module(f"benchmarks.{MODULES.get(question, question)}")
        command = f"python -m benchmarks {question}{' --quick' if options.quick else ''} --rounds {options.rounds}"
        try:
            tables = ask(module, options)
        except AssertionError as difference:
            report.say(f"{question}: the results differ, no table\n{difference}\n")
            wrong.append(question)
            continue
        missed += sum(row.missed for table in tables for row in table.rows)
        if folder and tables:
            write(folder, question, module, tables, command)
    if folder:
        (folder / "README.md").write_text(report.combine(folder, QUESTIONS), encoding="utf-8")
    report.say(f"{missed} targets missed; results which differ: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
