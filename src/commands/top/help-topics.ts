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
  8    not finished: resume was answered 202, or a wait ran out of time
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
