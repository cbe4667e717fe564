#!/usr/bin/env bash
# Records payments that were made elsewhere, one per line of stdin. Updates a record that exists.
# You can send the same input any number of times: the records end up the same.
#
#   examples/record-external-payments.sh < payments.txt
#
# Fields, separated by spaces:
#   PAYMENT_ID  AMOUNT (minor units)  CURRENCY  PROCESSOR  ORDER_ID  METHOD_TYPE  CREATED_AT  STATUS
#   till-7-0001 2500 EUR ACME_TILL A-1001 PAYMENT_CARD 2026-01-31T09:30:00Z SETTLED
#
# Exit codes: 0 every line is recorded; 1 some lines were refused (see stderr); any other code is pay's own, for
# what stopped the run: correct it and run the same input again.
set -euo pipefail

export PAY_PROFILE="${PAY_PROFILE:-sandbox}"

# Check the account once instead of failing on every line.
pay whoami >/dev/null

errors="$(mktemp)"
trap 'rm -f "$errors"' EXIT
created=0 updated=0 refused=0 line=0

# Runs pay and stores its exit code: with set -e, a failing command would end the script.
run() {
  code=0
  pay "$@" -o id --quiet --no-input </dev/null >/dev/null 2>"$errors" || code=$?
}

while read -r id amount currency processor order method created_at status || [ -n "${id:-}" ]; do
  line=$((line + 1))
  case "$id" in '' | '#'*) continue ;; esac
  fields=(--amount "$amount" --currency "$currency" --processor "$processor" --order-id "$order"
    --payment-method-type "$method" --status "$status")

  run observability push --payment-id "$id" --created-at "$created_at" "${fields[@]}"
  if [ "$code" -eq 6 ]; then
    # The record exists. Update everything except createdAt, which can't change.
    run observability update "$id" "${fields[@]}"
    [ "$code" -ne 0 ] || updated=$((updated + 1))
  elif [ "$code" -eq 0 ]; then
    created=$((created + 1))
  fi

  case "$code" in
    0) ;;
    2 | 3)
      refused=$((refused + 1))
      echo "line $line ($id) was refused:" >&2
      tail -n 1 "$errors" >&2
      ;;
    *)
      # No key, no connection, no answer, or a profile limit: the next line would fail too.
      echo "stopped at line $line ($id), exit code $code:" >&2
      tail -n 1 "$errors" >&2
      exit "$code"
      ;;
  esac
done

echo "created $created, updated $updated, refused $refused"
[ "$refused" -eq 0 ]
