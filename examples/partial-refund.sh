#!/usr/bin/env bash
# A refund of a part, by a person at a terminal: pay asks how much, shows the payment and what will be left of it, and on
# a live profile asks for a yes. Type 2.50 in the payment's currency, or press Enter for all of it.
#
#   examples/partial-refund.sh                       on the embedded sandbox, with a captured payment made for it
#   PAY_PROFILE=shop examples/partial-refund.sh ID   on an account of yours
set -euo pipefail

export PAY_PROFILE="${PAY_PROFILE:-sandbox}"

# Without a person there would be no question, and all of it would be refunded.
if [ ! -t 0 ] || [ ! -t 2 ]; then
  echo "$0 is for a terminal; a script gives the amount: pay payment refund ID --amount 250" >&2
  exit 2
fi

if [ $# -gt 0 ]; then
  ID="$1"
elif [ "$PAY_PROFILE" = sandbox ]; then
  ID="$(pay payment create --token tok_visa --amount '10.00 EUR' --order-id "demo-$$" -o id --quiet)"
  pay payment capture "$ID" -o id --quiet >/dev/null
else
  echo "usage: $0 PAYMENT_ID" >&2
  exit 2
fi

pay payment refund "$ID" --reason 'damaged in transit'
