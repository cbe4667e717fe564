/** Pages of `pay help TOPIC`. */
export const HELP_TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

  0    done
  1    unexpected internal error
  2    usage: bad flag or value, invalid body, missing input, not confirmed; nothing was sent
  3    rejected by the API (400, 422, any redirect, other 4xx)
  4    no key, or the key was refused (401, 403)
  5    not found
  6    conflict: 409, or a state that forbids it; blocked by a write in doubt; a repeat; no new effect
  7    rate limited (429) after all retries
  8    accepted, and not finished yet
  9    could not connect: nothing was sent
  10   outcome unknown: sent, and no usable answer; money may have moved
  11   the service failed on a read, or on a write that was proven not applied
  12   blocked by the profile's own limits
  13   the payment is DECLINED or FAILED, or the refund failed
  14   a bulk run ended with failed, skipped or unknown rows
  130  interrupted (Ctrl-C) with nothing in doubt; 143: terminated

The code covers all attempts of a call: once one attempt's outcome is unknown, only a
complete answer or a proof that it was done ends the doubt. After 10: pay ops resolve --all.
A read that gets no usable answer is 11: nothing can have moved.
`,
  money: `Money

  --amount 700          minor units, as in the API: 7.00 EUR or 700 JPY, as the payment's currency has it
  --amount '7.00 EUR'   major units, since the currency is written: 700 minor units
  --amount 7.00         a bare decimal takes its currency from --currency, or from the payment
                        that was previewed on a terminal; a script without one is refused

Amounts are whole numbers of minor units from end to end. Conversion uses ISO 4217 exponents and
is exact; too many decimals, signs, exponents and separators are refused, never rounded.
A written currency is checked: before a capture, refund or adjustment the payment is read, and
another currency ends it with exit code 2 and nothing sent.
An omitted amount on capture means all that is left of the authorization, on refund all that is
left to refund.
`,
  environment: `Environment

  PAY_PROFILE                 profile to use
  PAY_API_KEY                 the API key (there is no flag for it)
  PAY_API_KEY_FILE            a file that holds it
  PAY_BASE_URL                where the key goes
  PAY_API_VERSION             X-Api-Version
  PAY_OUTPUT                  table, json, ndjson, yaml, csv or id
  PAY_NO_INPUT                never ask
  PAY_TIMEOUT                 per attempt, such as 10s
  PAY_MAX_RETRIES             further attempts
  PAY_DEBUG                   headers and bodies on stderr, redacted
  PAY_CONFIG_DIR              where profiles are kept
  PAY_STATE_DIR               where the ledger and the sandbox keep their data
  NO_COLOR, FORCE_COLOR       colours
  HTTPS_PROXY, NO_PROXY       proxies
  NODE_EXTRA_CA_CERTS         further certificate authorities

A flag wins over the environment, the environment over the profile, the profile over the default.
PAY_API_KEY together with --profile is refused: two answers to "which account?".
`,
  output: `Output

  table    for people (the default, in a pipe too)
  json     the API's own object, unedited: unknown fields, field order and every digit are kept
  ndjson   one entry of a list a line
  yaml, csv
  id       the resource's own id alone

stdout carries the result only; prompts, previews, notices and errors go to stderr.
In the machine formats an error is one JSON object on the last line of stderr.
--query takes a JMESPath expression: pay payment get ID --query processor.amountCaptured
`,
  idempotency: `Idempotency: doing things once

  pay payment refund ID --amount '5.00 EUR' --once SUP-1042 --yes
                             once for this ticket, however often it runs, on whatever machine
  pay payment refund ID --amount 500 --idempotency-key KEY
                             a key of your own; without one each call makes its own

Keys are taken by payment create, authorize, capture, refund and cancel. A call sends the same key
with every attempt of it, so that a lost answer never moves money twice.
  --once TICKET   the key is made of account, operation, target and ticket. A ticket that was used
                  is told as done: exit code 6, and the payment on stderr.
  typed twice     a write that equals one of the last 10 minutes on this machine asks on a terminal;
                  on a live profile a script is refused (exit code 6) unless --again.
  exit code 10    sent, and nobody knows. Nothing else is sent for that target until
                  pay ops resolve has found out: do not send it anew with another key.
`,
  import: `Import: many payments that were made elsewhere

  pay observability template > payments.csv                     a file to begin with
  pay observability template orders.csv                         how a file of yours would fit
  pay observability import payments.csv --dry-run               check every row, send nothing
  pay observability import payments.csv --canary 10             send ten, look, then the rest
  pay observability import payments.csv --results results.csv --rejects rejects.csv

CSV or NDJSON, compressed too, - for stdin. Columns are field paths; --map FIELD=COLUMN,
--const FIELD=VALUE or --mapping FILE fit other files, --amounts major reads 7.00.
After any kill the same command goes on where it stopped: no row is lost, none is told twice.
--restart starts over. Records that are there are updated unless --on-exists skip or fail.
Exit code 14 says that rows have failed: mend the rejects, and import those.
`,
  profiles: `Profiles

  printf %s "$KEY" | pay profile add shop --base-url https://api.example.com --live --api-key-stdin
  pay profile use shop
  pay whoami

A profile is test or live. On a live profile, whatever moves money or destroys asks first; a
script needs --yes. A profile can limit itself, whatever is confirmed: --read-only,
--operations payment.capture,payment.refund, --max-amount '500 EUR'.
A stored key goes only to its own profile's base URL.
`,
  sandbox: `Sandbox

  pay smoke --sandbox                        everything once
  pay --sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1
  pay sandbox scenarios                      cards, tokens and what they do
  pay sandbox tokenize --card 4111111111111111
  pay sandbox clock advance 2h               settles what is settling
  pay sandbox reset                          start afresh

The whole service runs in this process on a folder of this machine: no server, no key, no network,
no real money. State lasts from command to command.
`,
  ledger: `The ledger

  pay ops list --state in-doubt     writes whose outcome is not known
  pay ops resolve --all             finds out, and finishes them without doing any twice
  pay ops show ID                   all that is recorded of one, and what to do next
  pay ops abandon ID --reason TEXT  ends one on your own word, when nobody else can tell

Every write is recorded on this machine before it is sent, and its outcome before it is told.
  sending    a process is at work on it
  in-doubt   it may have been done or not; its target takes no other write until that is known
  confirmed  the service answered, or was found to have done it
  rejected   it was not done
  abandoned  a person ended it
It is kept in PAY_STATE_DIR/ledger, in files that cat and jq read: no keys, no tokens.
`,
}
