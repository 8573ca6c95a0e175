#!/usr/bin/env bash
# The tutorial resources/docs/first-hour.md, literally: first_hour.sh [--keep FOLDER] [FOLDER OF calib]. Takes the blocks that follow
# "<!-- run -->" and "<!-- file NAME -->" out of the page and runs them in an empty folder (2 GB), then compares the page's table of
# figures with the checks. Needs what the page names, installed, and the npm registry. FOLDER is kept; if it
# has the checks, only these are compared. CALIBSCOPE_PYTHON names another Python.
set -euo pipefail

keep=""
if [[ ${1:-} == --keep ]]; then
    keep=$(realpath -m "$2")
    shift 2
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
programs=$(realpath "${1:-$root/.build/dev/bin}")
readonly page=$root/resources/docs/first-hour.md tolerance_db=1
export PATH=$programs:$PATH CALIBSCOPE=$root/resources

folder=${keep:-$(mktemp -d)}
[[ $keep ]] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/.bin"
cd "$folder"
ln -sf "${CALIBSCOPE_PYTHON:-/usr/bin/python3}" .bin/python3
PATH=$PWD/.bin:$PATH

# Blocks to run become one script, files are written.
awk '
    /^<!-- run -->$/ { to = "steps.sh"; next }
    /^<!-- file [^ ]+ -->$/ { to = $3; next }
    /^```$/ && inside { inside = 0; to = ""; next }
    /^```/ && to != "" { inside = 1; next }
    inside { print > to }
' "$page"
if [[ ! -e first.csv || ! -e better.csv ]]; then
    echo "in $folder:"
    time bash -e -u -o pipefail -x steps.sh
fi

# Rows "| `FILE.csv` | pooled | median |" of the page against the first output of the check, as written.
failed=0
compared=0
while IFS='|' read -r _ file pooled median _; do
    file=${file//[\` ]/}
    read -r found found_median < <(python3 - "$file" <<'PYTHON'
import csv
import sys

row = next(row for row in csv.DictReader(open(sys.argv[1], encoding="utf-8")) if row["kind"] == "output")
print(row["running_db"], row["median_db"])
PYTHON
    )
    for pair in "$pooled $found" "$median $found_median"; do
        compared=$((compared + 1))
        awk -v pair="$pair" -v tolerance=$tolerance_db -v file="$file" 'BEGIN {
            split(pair, db, " ")
            good = db[1] - db[2] <= tolerance && db[2] - db[1] <= tolerance
            printf "%s: the page has %s dB, measured %.2f: %s\n", file, db[1], db[2], good ? "ok" : "FAILED"
            exit !good
        }' || failed=1
    done
done < <(grep -E '^\| `[a-z]+\.csv` \|' "$page")
((compared >= 4)) || { echo "the page has no figures" >&2; exit 1; }
exit $failed
