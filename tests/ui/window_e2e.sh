#!/usr/bin/env bash
# The application in a real window: opens a tensor of the sample, filters the list, clicks another tensor, ticks a
# calibrator, takes it back, drags a threshold, exports the plot and quits, and looks at the screen after each.
# window_e2e.sh CALIBSCOPE SAMPLE FOLDER; needs xvfb-run, xdotool and ImageMagick. Pictures stay in FOLDER.
set -euo pipefail

if [[ ${1:-} != --inside ]]; then
    rm -rf "$3"
    mkdir -p "$3"
    TMPDIR=/tmp exec xvfb-run -a -s '-screen 0 1280x800x24' "$0" --inside "$@"  # it takes no blanks in TMPDIR
fi
readonly program=$2 sample=$3 folder=$4
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_CACHE_HOME=$folder/cache
unset QT_QPA_PLATFORM  # the other window tests run offscreen

fail() {
    printf 'window_e2e: %s; see the pictures in %s\n' "$1" "$folder" >&2
    exit 1
}

# until LIMIT_IN_TENTHS COMMAND...: repeats the command until it succeeds.
until_true() {
    local left=$1
    shift
    until "$@"; do
        [[ $((left--)) -gt 0 ]] || return 1
        sleep 0.1
    done
}

has_ended() { ! kill -0 "$application" 2>/dev/null; }

find_window() {
    has_ended && fail "the application ended at once"
    window=$(xdotool search --onlyvisible --name 'sample.h5' 2>/dev/null | head -n 1)
    [[ -n $window ]]
}

# picture NAME X Y WIDTH HEIGHT: a part of the screen, as a file.
picture() { import -window root -crop "$4x$5+$2+$3" +repage "$folder/$1.png"; }

# The plot is right of the list of tensors, left of the table. Columns are the most frequent colour after the
# ground's; lines, grid and text have some 1000 pixels of one colour at most.
has_histogram() {
    picture histogram 390 110 470 380
    local second
    second=$(convert "$folder/histogram.png" -format '%c' histogram:info:- | sort -rn | sed -n '2s/:.*//p')
    [[ ${second:-0} -gt 4000 ]]
}

header_changed() {
    picture header-after 330 92 540 32
    ! cmp -s "$folder/header-before.png" "$folder/header-after.png"
}

# A tensor that is named on the command line is shown, not only listed.
"$program" --fresh --theme light "$sample::batch_norm_3.tmp_2" 2>"$folder/errors" &
application=$!
trap 'kill "$application" 2>/dev/null || true' EXIT

until_true 300 find_window || fail "no window names the file in its title"
until_true 300 has_histogram || fail "no histogram was drawn"
picture header-before 330 92 540 32
xdotool mousemove 90 286 click 1 # the sixth activation of the list
until_true 100 header_changed || fail "the clicked tensor was not shown"
until_true 100 has_histogram || fail "the clicked tensor has no histogram"
import -window root "$folder/window.png"
has_ended && fail "the application ended"

key() { xdotool windowfocus --sync "$window" key --clearmodifiers "$@"; }
# remember NAME X Y WIDTH HEIGHT, then changed, or restored, NAME X Y WIDTH HEIGHT: whether that part of the screen is
# another one, or as it was.
remember() { picture "$1-before" "${@:2}"; }
changed() {
    picture "$1-after" "${@:2}"
    ! cmp -s "$folder/$1-before.png" "$folder/$1-after.png"
}
restored() { ! changed "$@"; }
readonly list="6 130 290 640" plot="390 110 470 380"

remember list $list
key ctrl+f
xdotool type --delay 30 "swish"
until_true 100 changed list $list || fail "the filter changed nothing in the list"
picture header-before 330 92 540 32
xdotool mousemove 90 166 click 1 # the only activations left begin with swish
until_true 100 header_changed || fail "a tensor of the filtered list was not shown"
until_true 100 has_histogram || fail "it has no histogram"

xdotool mousemove 600 785 # away from the plots, whose crosshair would differ
sleep 0.5
remember plot $plot
key 1
until_true 100 changed plot $plot || fail "the key 1 did not hide the first calibrator"
key ctrl+z
until_true 100 restored plot $plot || fail "Ctrl+Z did not bring it back"

# The grip of entropy's line, near the lower end of the plot: its middle column there, empty if there is none.
grip_column() {
    picture grips 388 503 500 20
    convert "$folder/grips.png" txt:- | awk -F'[,: ]' '/#0B5CAD/ { sum += $1; count++ }
        END { if (count > 20) print int(388 + sum / count) }'
}
has_grip() {
    grip=$(grip_column)
    [[ -n $grip ]]
}
readonly by_hand="388 152 116 60" # with and without neighbours below the name
until_true 100 has_grip || fail "the threshold of entropy has no grip"
remember by-hand $by_hand
remember plot $plot
xdotool mousemove "$grip" 512 mousedown 1
for step in 10 20 30 40 50 60; do
    xdotool mousemove $((grip - step)) 512
done
xdotool mouseup 1 mousemove 600 785
until_true 100 changed by-hand $by_hand || fail "the dragged threshold is not in the field By hand"
until_true 100 changed plot $plot || fail "the dragged threshold is not drawn"
key ctrl+z
until_true 100 restored by-hand $by_hand || fail "Ctrl+Z did not take the drag back"

export_dialog() { [[ -n $(xdotool search --onlyvisible --name 'Export picture' 2>/dev/null) ]]; }
key ctrl+e
until_true 100 export_dialog || fail "Ctrl+E opened no dialog"
sleep 0.5
dialog=$(xdotool search --onlyvisible --name 'Export picture' | tail -n 1)
xdotool windowfocus --sync "$dialog" key Return
sleep 1
import -window root "$folder/export.png"
xdotool windowfocus --sync "$(xdotool search --onlyvisible --name 'Export picture' | tail -n 1)"
xdotool type --delay 20 "$folder/exported.png"
xdotool key Return
exported() { [[ $(identify -format %m "$folder/exported.png" 2>/dev/null) == PNG ]]; }
until_true 100 exported || fail "no picture was exported"
sleep 0.3

xdotool windowfocus --sync "$window" key ctrl+q
until_true 100 has_ended || fail "the application did not end at Ctrl+Q"
trap - EXIT
echo "window_e2e: done"
