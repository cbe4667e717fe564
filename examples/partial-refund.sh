#!/usr/bin/env bash
# Refunds part of a payment from a terminal: pay asks for the amount, shows the payment and what will be left, and asks for
# confirmation on a live profile. Type 2.50 in the payment's currency, or press Enter to refund all of it.
#
#   examples/partial-refund.sh                       on the embedded sandbox, with a new captured payment
#   PAY_PROFILE=shop examples/partial-refund.sh ID   on your account
set -euo pipefail

export PAY_PROFILE="${PAY_PROFILE:-sandbox}"

# Without a terminal, pay asks nothing and refunds all of it.
if [ ! -t 0 ] || [ ! -t 2 ]; then
  echo "$0 needs a terminal; in a script, give the amount: pay payment refund ID --amount 250" >&2
  exit 2
fi

if [ $# -gt 0 ]; then
  ID="$1"
elif [ "$PAY_PROFILE" = sandbox ]; then
  ID="$(pay payment create --token tok_visa --amount "10.00 EUR" --order-id "demo-$$" -o id --quiet)"
  pay payment capture "$ID" -o id --quiet >/dev/null
else
  echo "usage: $0 PAYMENT_ID" >&2
  exit 2
fi

pay payment refund "$ID" --reason "damaged in transit"
