#!/usr/bin/env bash
# Makes the pictures of the documents anew from the bundled sample: make.sh FOLDER-OF-CALIBSCOPE
# (the last line of app/run.sh --build-only). Needs python3-h5py. Those of the pages Deploy and Layers are made where a
# second folder has detector.h5, detector.calsession with its decisions, the plan.json and check.json that deploy.md's walk gives,
# improved.json of calib improve --format json, budget.json of the same with --end FILE --budget, and speech.h5, a voice activity detector; those of the first hour where a third
# is what tests/extra/first_hour.sh --keep left.
set -euo pipefail

programs=${1:?give the folder that holds calibscope}
detector=${2:+$(realpath "$2")}
hour=${3:+$(realpath "$3")}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../../.."

shoot() {
    "$programs/calibscope" snapshot "${@:2}" --size 1440x900 -o "$here/$1"
}

sample=resources/sample/sample.h5
export HOME=$PWD  # the summary tells the folder, as "~/resources/sample"
shoot summary.png "$sample" --view summary
shoot browse.png "$sample" --view browse --tensor swish_13.tmp_0
shoot browse-dark.png "$sample" --view browse --tensor conv2d_169.w_0 --theme dark
shoot calibrators.png "$sample" --view calibrators --tensor swish_13.tmp_0
shoot formats.png "$sample" --view calibrators --calibrators-view formats --tensor conv2d_169.w_0
shoot formats-scales.png "$sample" --view calibrators --calibrators-view formats-scales --tensor conv2d_169.w_0
shoot formats-blocks.png "$sample" --view calibrators --calibrators-view formats-blocks --tensor conv2d_169.w_0
shoot channels.png "$sample" --view channels --tensor conv2d_169.w_0
shoot samples.png "$sample" --view browse --tensor swish_13.tmp_0 --lower samples
shoot slice.png "$sample" --view slice --tensor swish_13.tmp_0
shoot graph.png "$sample" --view graph --tensor batch_norm_3.tmp_2
shoot start.png --view start
shoot recipes-activation.png "$sample" --view browse --tensor swish_13.tmp_0 --recipe qualcomm-mse
shoot recipes-weight.png "$sample" --view browse --tensor conv2d_10.w_0 --recipe rebellions-language

# The sample, and a later recording of it: one tensor twice as large, one a little larger, one not recorded.
dumps=/tmp/recordings  # is shown in the picture
mkdir "$dumps"
trap 'rm -rf "$dumps"' EXIT
cp "$sample" "$dumps/before.h5"
cp "$sample" "$dumps/after.h5"
/usr/bin/python3 - "$dumps/after.h5" <<'END'
import sys

import h5py

with h5py.File(sys.argv[1], "r+") as dump:
    tensors = dump["activations"]
    for name, factor in (("swish_13.tmp_0", 2), ("p2o.MatMul.3", 1.125)):
        tensors[name][...] *= factor
    del tensors["relu_0.tmp_0"]
END
touch -d "2026-01-02 03:04 UTC" "$dumps"/*.h5
shoot compare.png "$dumps/before.h5" "$dumps/after.h5" --view compare --tensor swish_13.tmp_0

# What calibscope report draws: picture NAME.png DUMP TENSOR PLOT.
picture() {
    "$programs/calibscope" report "$2" --tensor "$3" --format png --scale 1 --no-footer -o "$dumps/$1" >/dev/null
    mv "$dumps/$1/png/$3-$4.png" "$here/$1"
}

picture gallery-softmax.png "$sample" softmax_9.tmp_0 histogram
picture gallery-hardswish.png "$sample" det.hardswish_81.tmp_0 histogram
picture gallery-depthwise.png "$sample" det.conv2d_412.w_0 channels
picture gallery-few-values.png "$sample" relu_0.tmp_0 curve

if [[ -n $detector ]]; then
    picture gallery-outlier.png "$detector/detector.h5" p2o.Add.163 channels
    layer=depthwise_conv2d_11.tmp_0
    shoot layers.png "$detector/detector.h5" --view layers --layer $layer
    shoot improve.png --session "$detector/detector.calsession" --view improve --model /models/detector.onnx \
        --improved "$detector/improved.json"
    shoot improve-budget.png --session "$detector/detector.calsession" --view improve --model /models/detector.onnx \
        --budget "$detector/budget.json"
    shoot layers-dark.png "$detector/detector.h5" --view layers --layer $layer --theme dark
    shoot layers-candidates.png "$detector/detector.h5" --view layers --layer $layer --layer-view candidates
    shoot formats-levels.png "$detector/detector.h5" --view calibrators --calibrators-view formats-levels --tensor conv2d_417.w_0
    shoot formats-speech.png "$detector/speech.h5" --view calibrators --calibrators-view formats --tensor encoder.3.reparam_conv.weight
    layer=encoder.3.reparam_conv.Conv_output_0
    shoot layers-one.png "$detector/speech.h5" --view layers --layer $layer
    shoot layers-operands.png "$detector/speech.h5" --view layers --layer $layer --layer-view operands
    shoot layers-channels.png "$detector/speech.h5" --view layers --layer $layer --layer-view channels --theme dark
    for theme in light dark; do
        [[ $theme == light ]] && suffix="" || suffix=-dark
        for view in plan result; do
            words=(--plan "$detector/plan.json")
            [[ $view == plan ]] || words=(--check "$detector/check.json")
            shoot "deploy-$view$suffix.png" --session "$detector/detector.calsession" --view deploy \
                --model /models/detector.onnx --theme $theme "${words[@]}"
        done
    done
fi

if [[ -n $hour ]]; then
    export HOME=${hour%/*}  # the summary tells the folder
    shoot first-hour-summary.png "$hour/dump.h5" --view summary
    shoot first-hour-layers.png "$hour/dump.h5" --view layers --layer depthwise_conv2d_1.tmp_0
    convert "$hour/images.png" -resize 50% -colors 128 -strip "$here/first-hour-images.png"  # of ImageMagick
fi
