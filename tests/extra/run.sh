#!/usr/bin/env bash
# Checks that need more packages than the tests do, by hand: run.sh [FOLDER OF calib]. It installs nothing and says
# what is missing. Packages of Debian 12: python3-torch python3-h5py python3-onnx. CALIBSCOPE_PYTHON names another Python.
set -euo pipefail

case ${1:-} in
    -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
esac

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
python=${CALIBSCOPE_PYTHON:-/usr/bin/python3}
export CALIBSCOPE_CALIB=${1:-$root/.build/dev/bin}/calib

missing=()
for module in torch h5py onnx; do
    "$python" -c "import $module" 2>/dev/null || missing+=("python3-$module")
done
if ((${#missing[@]})); then
    echo "$python lacks modules; install ${missing[*]}" >&2
    exit 2
fi
if [[ ! -x $CALIBSCOPE_CALIB ]]; then
    echo "$CALIBSCOPE_CALIB: not there; build it with app/run.sh --build-only, and name its folder" >&2
    exit 2
fi

cd "$root/tests/extra"
PYTHONPATH="$root/resources/recorders" PYTHONDONTWRITEBYTECODE=1 \
    "$python" -W error::ResourceWarning -m unittest -v record_torch_test record_torch_names_test record_torch_values_test onnx_graph_test

# Integers that are written against NumPy's.
"$python" integers_numpy.py "$CALIBSCOPE_CALIB" "$root/resources/sample/sample.h5"

# Through a real sshd on the loopback interface.
if command -v ssh >/dev/null && [[ -x ${CALIBSCOPE_SSHD:-/usr/sbin/sshd} && -x $(dirname "$CALIBSCOPE_CALIB")/ssh_tests ]]; then
    "$root/tests/extra/ssh/loopback.sh" "$(dirname "$CALIBSCOPE_CALIB")"
else
    echo "tests/extra/ssh needs ssh, sshd (openssh-server) and the program ssh_tests: left out" >&2
fi

# A report of the sample: its tables are read, its plots explored, and its programs run (three minutes).
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT
"$(dirname "$CALIBSCOPE_CALIB")/calibscope" report "$root/resources/sample/sample.h5" -o "$report/report" --format html,csv
"$python" report_tables.py "$report/report"
"$python" report_snippets.py "$report/report"
if command -v chromium >/dev/null; then
    "$python" report_browser.py "$report/report"
else
    echo "the report in a browser needs chromium: left out" >&2
fi
if command -v Rscript >/dev/null; then
    Rscript -e "stopifnot(is.numeric(read.csv('$report/report/scales.csv')\$scale))"
fi

# The documents as a site: links that lead nowhere are errors.
if command -v mkdocs >/dev/null; then
    "$root/resources/docs/site/make.sh" "$report/site"
else
    echo "the site needs mkdocs: left out" >&2
fi
