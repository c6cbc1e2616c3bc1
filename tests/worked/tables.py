"""The small tables that the worked examples count, as plain Python."""

from __future__ import annotations

from typing import Any, NamedTuple


class Worked(NamedTuple):
    """Rows with the label in the last place."""

    columns: tuple[str, ...]
    target: str
    rows: list[tuple[Any, ...]]


def worked(header: str, body: str) -> Worked:
    """A table written as text: one row a line, the label last."""
    *columns, target = header.split()
    rows = [tuple(line.split()) for line in body.strip().splitlines()]
    assert all(len(row) == len(columns) + 1 for row in rows)
    return Worked(tuple(columns), target, rows)


# D1. Seven rows of three yes-or-no features.
SEVEN = Worked(
    ("f1", "f2", "f3"),
    "y",
    [(1, 1, 1, 1), (1, 1, 1, 0), (0, 0, 0, 1), (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 1), (0, 1, 0, 0)],
)

# D2. Fourteen days of tennis. Erratum: some prints call the value Normal of Humidity "Moderate" in one of their tables;
# there is one value, Normal, and Humidity has two levels.
PLAY_TENNIS = worked(
    "Outlook Temperature Humidity Wind Play",
    """
    Sunny    Hot  High   Weak   No
    Sunny    Hot  High   Strong No
    Overcast Hot  High   Weak   Yes
    Rain     Mild High   Weak   Yes
    Rain     Cool Normal Weak   Yes
    Rain     Cool Normal Strong No
    Overcast Cool Normal Strong Yes
    Sunny    Mild High   Weak   No
    Sunny    Cool Normal Weak   Yes
    Rain     Mild Normal Weak   Yes
    Sunny    Mild Normal Strong Yes
    Overcast Mild High   Strong Yes
    Overcast Hot  Normal Weak   Yes
    Rain     Mild High   Strong No
    """,
)

# D3. Nine years, three to each of three classes.
ECONOMY = worked(
    "IT Chemicals Crops Exports Economy",
    """
    Good Avg  Avg  Good Great
    Avg  Avg  Good Good Ok
    Poor Good Good Avg  Ok
    Good Avg  Good Good Great
    Avg  Good Good Avg  Great
    Good Avg  Avg  Avg  Bad
    Poor Avg  Good Avg  Bad
    Avg  Avg  Avg  Avg  Bad
    Good Good Avg  Avg  Ok
    """,
)

# D4. The same with the Exports of the fifth year Good: no Great year is left whose Exports are Avg.
ECONOMY_WITHOUT_AVG_EXPORTS = ECONOMY._replace(
    rows=[("Avg", "Good", "Good", "Good", "Great") if i == 4 else row for i, row in enumerate(ECONOMY.rows)]
)

# D5. Ten borrowers. Erratum: .1309 is in print for the weight of No; 32/245 is .1306.
LOAN = worked(
    "Owner Marital Income Defaulted",
    """
    Yes Single   High No
    No  Married  High No
    No  Single   Low  No
    Yes Married  High No
    No  Divorced Low  Yes
    No  Married  Low  No
    Yes Divorced High No
    No  Single   Low  Yes
    No  Married  Low  No
    No  Single   Low  Yes
    """,
)

# D6. Fourteen animals, and whether they are kept as pets.
PETS = worked(
    "Animal Size Color Pet",
    """
    Dog Medium Black Yes
    Dog Big    White No
    Rat Small  White Yes
    Cow Big    White Yes
    Cow Small  Brown No
    Cow Big    Black Yes
    Rat Big    Brown No
    Dog Small  Brown Yes
    Dog Medium Brown Yes
    Cow Medium White No
    Dog Small  Black Yes
    Rat Medium Black No
    Rat Small  Brown No
    Cow Big    White Yes
    """,
)
