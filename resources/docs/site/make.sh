#!/usr/bin/env bash
# The documents as a site with a search: make.sh FOLDER [FOLDER OF calibscope]. Needs mkdocs (Debian's package). With the programs
# each calibrator gets a page of its own, with pictures on an everyday tensor and on an unusual one. Links between pages are checked, and
# pages that nothing leads to. A browser shows it by python3 -m http.server --directory FOLDER (its search needs a server).
set -euo pipefail

site=$(realpath -m "${1:?give the folder for the site}")
programs=${2:+$(realpath "$2")}
readonly site programs
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
[[ ! -e $site/index.html || -e $site/search ]] || { echo "$site: is no site; it would be replaced" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/pages/resources"
cp resources/docs/site/mkdocs.yml "$work"
cp resources/docs/site/site.css LICENSE "$work/pages"
cp README.md "$work/pages/index.md"
# At their paths, so that links lead where they do in the sources; also what they lead to outside of the documents.
cp -r resources/docs resources/packages "$work/pages/resources"
for page in sample/NOTICE.md sample/LICENSE-Apache-2.0 fonts/README.md packaging/README.md; do
    install -D -m 644 "resources/$page" "$work/pages/resources/$page"
done
# The page of algorithms, section by section; its links stay right, as all lie in one folder.
if [[ $programs ]]; then
    docs=$work/pages/resources/docs
    export QT_QPA_PLATFORM=offscreen
    printf '  - Calibrators:\n' >>"$work/mkdocs.yml"
    "$programs/calib" describe | awk '/^## Calibrators/ { on = 1; next } /^## / { on = 0 } on && /^### /' | while read -r heading; do
        id=${heading##*: \`}
        id=${id%\`}
        title=${heading#\#\#\# }
        "$programs/calibscope" report resources/sample/sample.h5 --calibrator "$id" --tensor swish_13.tmp_0 --tensor relu_0.tmp_0 \
            --format png --scale 1 --no-footer -o "$work/$id" >/dev/null
        page=calibrator-$id.md
        {
            printf '# %s\n' "$title"
            for tensor in "swish_13.tmp_0 On an everyday tensor: a swish with a long tail, 76,800 values" \
                "relu_0.tmp_0 On an unusual one: 480 values, most of them 0, the largest in one channel"; do
                printf '\n## %s\n' "${tensor#* }"
                for plot in histogram curve; do
                    picture=$id/png/${tensor%% *}-$plot.png
                    [[ -e $work/$picture ]] || continue
                    mv "$work/$picture" "$docs/pictures/calibrator-$id-${tensor%% *}-$plot.png"
                    printf '\n![%s: %s](pictures/calibrator-%s-%s-%s.png)\n' "$id" "$plot" "$id" "${tensor%% *}" "$plot"
                done
            done
            printf '\n## Definition\n'
            awk -v heading="$heading" '$0 == heading { on = 1; next } on && /^##/ { exit } on' "$docs/algorithms.md" | sed 's/](#/](algorithms.md#/g'
        } >"$docs/$page"
        printf '      - "%s": resources/docs/%s\n' "${title%%: \`*}" "$page" >>"$work/mkdocs.yml"
    done
fi
# Bars in code are escaped in tables for GitHub; here they must not be.
find "$work/pages" -name '*.md' -exec perl -pi -e 's/`[^`]*`/$&=~s!\\\|!|!gr/ge if /^\|/' {} +
mkdocs build --quiet --strict --config-file "$work/mkdocs.yml" --site-dir "$site"
