#!/usr/bin/env bash
# Serves the sandbox while this script runs, with its own port and data, and runs a payment on it with curl only. Any client
# in any language can do the same. Prints the payment at the end.
set -euo pipefail

url=$(pay sandbox start --background --ephemeral --port 0 -o id)
trap 'pay sandbox stop --port "${url##*:}" >/dev/null' EXIT

# call METHOD PATH [BODY]
call() {
  local body=()
  [ $# -lt 3 ] || body=(-H 'Content-Type: application/json' --data "$3")
  curl --silent --show-error --fail-with-body -X "$1" "$url$2" \
    -H 'X-API-KEY: sandbox_all' -H 'X-Api-Version: 2.1' "${body[@]}"
}

payment=$(call POST /payments \
  '{"paymentMethodToken":"tok_visa","amount":4990,"currencyCode":"EUR","orderId":"order-1042"}')
id=$(sed 's/^{"id":"\([^"]*\)".*/\1/' <<<"$payment")

call POST "/payments/$id/capture" >/dev/null
call POST "/payments/$id/refund" '{"amount":500}' >/dev/null
call GET "/payments/$id"
echo
