#!/usr/bin/env bash
# Words that the glossary replaces: glossary.sh [--list WORD]. Counts them in identifiers, comments and strings of app, core and ui, and
# fails where there are more than tests/glossary.txt allows, or fewer: the allowance then falls. --list shows where a word is.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

# find_word WORD OPTIONS OF grep...: the word by itself or in a camelCase name, whatever follows it but letters.
find_word() {
    local word=$1
    shift
    grep -rE "$@" --include='*.cpp' --include='*.h' -- "(\\b$word|${word^})([^a-z]|$)" app core ui || [[ $? == 1 ]]
}

if [[ ${1:-} == --list ]]; then
    find_word "$2" -n
    exit
fi
failed=0
while read -r word allowed instead; do
    [[ $word && $word != '#' ]] || continue
    found=$(find_word "$word" -oh | wc -l)
    if ((found > allowed)); then
        echo "$word: $found times, $((found - allowed)) more than allowed; write: $instead" >&2
        failed=1
    elif ((found < allowed)); then
        echo "$word: $found times; lower the allowance of $allowed in tests/glossary.txt" >&2
        failed=1
    fi
done <tests/glossary.txt
exit $failed
