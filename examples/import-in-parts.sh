#!/usr/bin/env bash
# Imports a large file with several processes at once, each with its own part of the rows.
# After an interruption, run it again: the file is split once, and each part resumes.
#
#   examples/import-in-parts.sh                        on the embedded sandbox, with a new file
#   PAY_PROFILE=shop examples/import-in-parts.sh payments.csv [FLAGS]   FLAGS say how to read the file, such as --amounts major
set -euo pipefail

export PAY_PROFILE="${PAY_PROFILE:-sandbox}"
PARTS="${PARTS:-4}"
PROCESSES="${PROCESSES:-2}"

if [ $# -gt 0 ]; then
  FILE="$1"
  shift
elif [ "$PAY_PROFILE" = sandbox ]; then
  FILE="$(mktemp -d)/payments.csv"
  pay observability template > "$FILE"
else
  echo "usage: $0 FILE [FLAGS]" >&2
  exit 2
fi

OUT="${OUT:-$FILE.parts}"
# Written last: without it, the folder holds no split.
[ -e "$OUT/manifest.json" ] || pay observability split "$FILE" --parts "$PARTS" --out "$OUT" "$@"

# xargs exits with 123 if a part fails. The rejects of each part stand beside it.
find "$OUT" -name 'part-*.csv' -print0 -o -name 'part-*.ndjson' -print0 |
  xargs -0 -P "$PROCESSES" -I PART \
    pay observability import PART --results PART.results --rejects PART.rejects --yes --quiet --json "$@"
