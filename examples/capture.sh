#!/usr/bin/env bash
# Captures 7.00 of an authorized payment of 10.00; the rest of the authorization is released.
#
#   examples/capture.sh                                 on the embedded sandbox, with a new payment
#   PAY_PROFILE=shop examples/capture.sh ID [--yes]     on your account (--yes on a live profile)
set -euo pipefail

export PAY_PROFILE="${PAY_PROFILE:-sandbox}"

if [ $# -gt 0 ]; then
  ID="$1"
  shift
elif [ "$PAY_PROFILE" = sandbox ]; then
  ID="$(pay payment create --token tok_visa --amount "10.00 EUR" --order-id "demo-$$" -o id --quiet)"
else
  echo "usage: $0 PAYMENT_ID [--yes]" >&2
  exit 2
fi

# A bare number is minor units: 700 is 7.00 EUR. Add --no-final to keep the rest for a later capture.
pay payment capture "$ID" --amount 700 "$@"
