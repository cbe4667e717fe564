#!/usr/bin/env bash
# Builds the image of the Dockerfile and uses it as its users do: read-only, with a volume, from outside. Usage: scripts/try-container.sh
# DOCKER names the program and its options, such as podman; RUN has further options of its run, in place of a published port.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
read -ra docker <<<"${DOCKER:-docker}"
read -ra run <<<"${RUN:---publish 127.0.0.1:4010:4010}"
image="payctl-tried:$$" name="payctl-tried-$$"
state="$(mktemp -d)"
export PAY_SANDBOX_KEY="key-of-this-trial-$$"

clean_up() {
  "${docker[@]}" rm --force "$name" >/dev/null 2>&1 || true
  "${docker[@]}" volume rm --force "$name" >/dev/null 2>&1 || true
  "${docker[@]}" rmi --force "$image" >/dev/null 2>&1 || true
  rm -rf "$state"
}
trap clean_up EXIT
fail() {
  echo "$1" >&2
  exit 1
}
pay() {
  PAY_CONFIG_DIR="$state/config" PAY_STATE_DIR="$state/state" PAY_BASE_URL=http://127.0.0.1:4010 \
    PAY_API_KEY="$PAY_SANDBOX_KEY" node bin/pay.cjs "$@"
}
serve() {
  "${docker[@]}" run --detach --name "$name" "${run[@]}" --env PAY_SANDBOX_KEY "$@" "$image" >/dev/null
  for _ in {1..100}; do
    if pay payment list -q >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  fail "it doesn't start: $("${docker[@]}" logs "$name" 2>&1)"
}
# Stops it as Docker does, with SIGTERM.
stop() {
  "${docker[@]}" stop --time 20 "$name" >/dev/null
  local code
  code="$("${docker[@]}" inspect --format '{{.State.ExitCode}}' "$name")"
  [ "$code" = 0 ] || fail "it ended with $code"
  if "${docker[@]}" logs "$name" 2>&1 | grep -F "$PAY_SANDBOX_KEY"; then fail 'the log shows the key'; fi
  "${docker[@]}" rm "$name" >/dev/null
}

"${docker[@]}" build ${BUILD:-} --tag "$image" .
"${docker[@]}" image inspect --format '{{.Size}} bytes' "$image"

# No key and no cache of npm is in its layers, and it runs as a user without rights.
found="$("${docker[@]}" run --rm "${run[@]}" --entrypoint sh "$image" -c \
  'id -u; env | grep -i _key; find / -xdev \( -name _cacache -o -name .npmrc -o -name "*.tgz" \) 2>/dev/null' || true)"
[ "$found" = 1000 ] || fail "unexpected in the image: $found"
"${docker[@]}" run --rm "${run[@]}" --read-only --tmpfs /home/node/pay "$image" smoke --sandbox | grep -F 'steps passed.'

serve --read-only --tmpfs /home/node/pay
pay smoke | grep -F 'steps passed.'
stop

serve --read-only --volume "$name:/home/node/pay"
pay payment create --token tok_autocapture --amount '1.00 EUR' --order-id A-1 --yes -q >/dev/null
stop
serve --read-only --volume "$name:/home/node/pay"
pay payment get --order A-1 -o id
stop
echo 'The container passed.'
