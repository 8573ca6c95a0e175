#!/usr/bin/env bash
# Follows resources/docs/adding-an-algorithm.md to the letter: contributor.sh. In a copy of the tree each kind of the page's first table
# gets a file in the folder that the page names, nothing else is touched, and what was added is used on the sample. Both programs are
# linked as one (preset odr), which takes as long as any build and shows that every type is defined once.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tree="$root/.build/contributor"
rm -rf "$tree"/{app,core,resources,tests,ui}
mkdir -p "$tree"
cd "$root"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$tree"
cd "$tree"

# add KIND EXAMPLE: the example as added_rule.cpp in the folder of that row.
add() {
    local folder
    folder=$(sed -nE "s/^\| $1 \| \`([a-z/]+)\` \|.*/\1/p" resources/docs/adding-an-algorithm.md)
    [[ -d $folder ]] || { echo "the page names no folder for: $1" >&2; exit 1; }
    cp "tests/contributor/$2.cpp" "$folder/added_rule.cpp"
}
add calibrator calibrator
add metric metric
add 'growth rule of histograms' growth
add 'layout rule of dumps' layout
add 'scale file of another tool' exchange

cmake --preset odr >/dev/null
cmake --build .build/odr --parallel "${CALIBSCOPE_JOBS:-$(nproc)}" --target calib calibscope >build.log 2>&1 ||
    { tail -n 40 build.log; exit 1; }

calib=.build/odr/bin/calib
sample=resources/sample/sample.h5
# expect WORD COMMAND...: what it prints has the word.
expect() {
    local word=$1
    shift
    "$@" | grep -qF -- "$word" || { echo "no $word from: $*" >&2; exit 1; }
}
of=("$sample" --tensor swish_13.tmp_0)
threshold=$("$calib" scales "${of[@]}" --calibrator half-maximum --columns threshold | tail -n 1)
maximum=$("$calib" stats "${of[@]}" --columns absmax | tail -n 1)
awk "BEGIN { exit !($threshold == $maximum / 2) }" || { echo "$threshold is not half of $maximum" >&2; exit 1; }
expect finite_values "$calib" scales "${of[@]}" --calibrator min-max
expect to-the-whole "$calib" scales "${of[@]}" --calibrator entropy:growth=to-the-whole
expect "swish_13.tmp_0 $threshold" "$calib" export "$sample" --format lines --calibrator half-maximum
/usr/bin/python3 -c 'import h5py, sys; h5py.File(sys.argv[1], "w")["x_marked"] = [1.0, 2.0]' marked.h5
expect weight "$calib" stats marked.h5 --columns role
echo "the program has the five files that the page tells to add"
