"""Reads a report's CSV tables with the defaults of pandas, if it is there, and of the csv module.

report_tables.py FOLDER
"""
import csv
import sys


def main(folder):
    for name in ("scales.csv", "channels.csv"):
        path = f"{folder}/{name}"
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        assert len(rows) > 1, f"{path}: no rows"
        assert {len(row) for row in rows} == {len(rows[0])}, f"{path}: rows of different lengths"
        print(f"{name}: {len(rows) - 1} rows, {len(rows[0])} columns")
        try:
            import pandas
        except ImportError:
            print("pandas is not there: not tried")
            continue
        table = pandas.read_csv(path)
        assert len(table) == len(rows) - 1
        for column in ("low", "high", "scale", "sqnr_db", "mse"):
            assert table[column].dtype.kind in "fi", f"{path}: {column} is not a number"


if __name__ == "__main__":
    main(sys.argv[1])
