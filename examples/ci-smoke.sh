#!/usr/bin/env bash
# A smoke test for CI: the whole life of a payment against a test profile, with a JUnit report.
#
#   examples/ci-smoke.sh [REPORT.xml]      on the embedded sandbox
#
# For your own test account, set PAY_API_KEY and PAY_BASE_URL from the CI's secrets, PAY_PROFILE to the empty string,
# and PAY_TOKEN to a payment method token of that account. pay refuses a live account before it sends anything.
# The exit code is that of the first failed step.
set -euo pipefail

export PAY_PROFILE="${PAY_PROFILE-sandbox}"
report="${1:-pay-smoke.xml}"

pay whoami
pay smoke --junit "$report" ${PAY_TOKEN:+--token "$PAY_TOKEN"}
