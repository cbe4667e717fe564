#!/usr/bin/env bash
# Serves the sandbox while this script runs, with its own port and data, and runs a payment on it with curl only. Any client
# in any language can do the same. Prints the payment at the end.
set -euo pipefail

url=$(pay sandbox start --background --ephemeral --port 0 -o id)
trap 'pay sandbox stop --port "${url##*:}" >/dev/null' EXIT

# call METHOD PATH [BODY]
call() {
  local method="$1" path="$2"
  shift 2
  [ $# -eq 0 ] || set -- -H 'Content-Type: application/json' --data "$1"
  curl --silent --show-error --fail-with-body -X "$method" "$url$path" \
    -H 'X-API-KEY: sandbox_all' -H 'X-Api-Version: 2.1' "$@"
}

payment=$(call POST /payments \
  '{"paymentMethodToken":"tok_visa","amount":4990,"currencyCode":"EUR","orderId":"order-1042"}')
id=$(sed 's/^{"id":"\([^"]*\)".*/\1/' <<<"$payment")

call POST "/payments/$id/capture" >/dev/null
call POST "/payments/$id/refund" '{"amount":500}' >/dev/null
call GET "/payments/$id"
echo
