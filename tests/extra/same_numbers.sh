#!/usr/bin/env bash
# same_numbers.sh OLD NEW FOLDER DUMP...: whether two builds of calib print the same bytes for these dumps, of every recipe and
# calibrator, exact and estimated, with one thread and with two. The old one's output is kept in FOLDER for further calls. NARROW=FILE
# is a library that NEW is started with, as tests/bench/narrow_targets.cpp makes one.
set -euo pipefail

(($# >= 4)) || { sed -n 2,5p "$0" >&2; exit 2; }
old=$1 new=$2 folder=$3
shift 3
mkdir -p "$folder"
calibrators=(--calibrator min-max --calibrator percentile:alpha=99.9 --calibrator entropy --calibrator mse --calibrator l2
    --calibrator aciq)
commands=("scales --exact --rows channel" "scales --exact --rows tensor --jobs 2" "scales --estimate --jobs 2"
    "scales --exact --role weight --rows channel --granularity channel --scheme symmetric-full ${calibrators[*]} --jobs 2"
    "stats" "stats --rows channel")
for scheme in symmetric-restricted affine affine-real; do
    for bits in 4 8 16; do
        # Searches over levels of 16 bits would take minutes.
        commands+=("scales --exact --scheme $scheme --bits $bits --calibrator min-max --calibrator percentile:alpha=99.9 --jobs 2"
            "scales --exact --scheme $scheme --bits $bits --calibrator min-max --calibrator percentile:alpha=99 --jobs 1")
    done
done
different=0 bytes=0
for dump in "$@"; do
    all=("${commands[@]}")
    [[ $dump == *sample* ]] && all+=("layers --jobs 2 --calibrator min-max")
    for command in "${all[@]}"; do
        kept=$folder/$(basename "$dump")_${command// /_}
        kept=${kept//--/}
        read -ra words <<<"$command"
        # What a tensor's failure says is compared, too.
        [[ -e $kept ]] || { "$old" "${words[@]}" "$dump" >"$kept.part" 2>&1 || true; mv "$kept.part" "$kept"; }
        LD_PRELOAD=${NARROW:-} "$new" "${words[@]}" "$dump" >"$folder/new" 2>&1 || true
        bytes=$((bytes + $(stat -c %s "$kept")))
        cmp "$kept" "$folder/new" || { echo "differs: calib $command $dump"; different=$((different + 1)); }
    done
done
echo "$bytes bytes compared, $different outputs differ"
((different == 0))
