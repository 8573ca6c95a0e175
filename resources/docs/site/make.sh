#!/usr/bin/env bash
# The documents as a site with a search: make.sh FOLDER. Needs mkdocs (Debian's package). Links between pages are checked, and
# pages that nothing leads to. A browser shows it by python3 -m http.server --directory FOLDER (its search needs a server).
set -euo pipefail

site=$(realpath -m "${1:?give the folder for the site}")
readonly site
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
# Bars in code are escaped in tables for GitHub; here they must not be.
find "$work/pages" -name '*.md' -exec perl -pi -e 's/`[^`]*`/$&=~s!\\\|!|!gr/ge if /^\|/' {} +
mkdocs build --quiet --strict --config-file "$work/mkdocs.yml" --site-dir "$site"
