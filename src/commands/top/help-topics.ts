/** The pages of `pay help TOPIC`. */
export const HELP_TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `Exit codes

  0    done
  1    unexpected internal error
  2    usage: bad flag or value, invalid body, missing input, not confirmed; nothing was sent
  3    rejected by the API (400, 422, any redirect, other 4xx)
  4    no key, or the key was refused (401, 403)
  5    not found
  6    conflict (409), wrong state, blocked by a write in doubt, or already done; no new effect
  7    rate limited (429) after all retries
  8    accepted, but not finished yet
  9    could not connect: nothing was sent
  10   outcome unknown: sent, but no usable response; money may have moved
  11   the service failed on a read, or on a write that was proven not applied
  12   blocked by the profile's own limits
  13   the payment is DECLINED or FAILED, or the refund failed
  14   a bulk run ended with failed, skipped or unknown rows
  130  interrupted (Ctrl-C) with nothing in doubt; 143: terminated

The code covers all attempts of a call. Once the outcome of one attempt is unknown, only a complete response, or proof that the write was done, settles it. After 10, run pay ops resolve --all. A read without a usable response exits with 11: nothing can have moved.
`,
  money: `Money

  --amount 700          minor units, as in the API: 7.00 EUR or 700 JPY, in the payment's currency
  --amount "7.00 EUR"   major units, since the currency is given: 700 minor units
  --amount 7.00         a bare decimal takes its currency from --currency, or from the payment previewed on a terminal; a script without --currency is refused

Amounts are whole numbers of minor units from end to end. Conversion uses ISO 4217 exponents and is exact. Too many decimals, signs, exponents and separators are refused, never rounded. A currency you give is checked: before a capture, refund or adjustment, pay reads the payment; if the currency differs, it exits with code 2 and sends nothing. Without an amount, a capture takes all that is left of the authorization, and a refund returns all that is left to refund.
`,
  environment: `Environment

  PAY_PROFILE                 profile to use
  PAY_API_KEY                 API key (no flag takes it)
  PAY_API_KEY_FILE            file that contains the API key
  PAY_BASE_URL                service address
  PAY_API_VERSION             value of the X-Api-Version header
  PAY_OUTPUT                  table, json, ndjson, yaml, csv or id
  PAY_NO_INPUT                never prompt
  PAY_NO_PAGER, PAGER         print long lists at once; the program that shows them on a terminal (default less)
  PAY_TIMEOUT                 timeout per attempt, such as 10s
  PAY_MAX_RETRIES             number of retries
  PAY_DEBUG                   print headers and bodies on stderr, redacted
  PAY_CONFIG_DIR              folder of the profiles
  PAY_STATE_DIR               folder of the ledger and the sandbox
  PAY_SANDBOX_KEY             key of a sandbox that other machines can reach
  NO_COLOR, FORCE_COLOR       colors off or on
  HTTPS_PROXY, NO_PROXY       proxies
  NODE_EXTRA_CA_CERTS         additional certificate authorities

A flag overrides the environment, the environment overrides the profile, and the profile overrides the default. PAY_API_KEY and --profile together are refused, since each names an account.
`,
  output: `Output

  table    for people; the default, in a pipe too
  json     the API's own object, unedited: keeps unknown fields, field order and every digit
  ndjson   one list entry per line
  yaml, csv
  id       only the ID of the resource

stdout carries only the result. Prompts, previews, notices and errors go to stderr. In the machine formats, an error is one JSON object on the last line of stderr. --query takes a JMESPath expression: pay payment get ID --query processor.amountCaptured
`,
  idempotency: `Idempotency: doing things once

  pay payment refund ID --amount "5.00 EUR" --once SUP-1042 --yes  once for this ticket, no matter how often or where you run it
  pay payment refund ID --amount 500 --idempotency-key KEY  your own key; without one, each call creates its own

payment create, authorize, capture, refund and cancel take a key. Every attempt of a call sends the same key, so a lost response never moves money twice.
  --once TICKET   makes the key from account, operation, target and ticket. If the ticket was used before, exits with code 6 and shows the payment on stderr.
  typed twice     a write that equals one of the last 10 minutes on this machine asks first on a terminal; on a live profile, a script is refused (exit code 6) unless it has --again.
  exit code 10    sent, but the outcome is unknown. pay sends nothing else for that target until pay ops resolve has found the outcome: don't send it again with another key.
`,
  import: `Import: record many payments made elsewhere

  pay observability template > payments.csv                     create a file to start from
  pay observability template orders.csv                         show how your own file would map
  pay observability import payments.csv --dry-run               check every row, send nothing
  pay observability import payments.csv --canary 10             send ten, check them, then the rest
  pay observability import payments.csv --results results.csv --rejects rejects.csv

Reads CSV or NDJSON, compressed or not; - means stdin. Column names are field paths. To map other files, use --map FIELD=COLUMN, --const FIELD=VALUE or --mapping FILE; --amounts major reads 7.00. If an import is killed, run the same command again: it resumes where it stopped, losing no row and reporting none twice. --restart starts over. Existing records are updated unless you set --on-exists to skip or fail. Exit code 14 means that some rows failed: fix the rejects and import them.
`,
  profiles: `Profiles

  printf %s "$KEY" | pay profile add shop --base-url https://api.example.com --live --api-key-stdin
  pay profile use shop
  pay whoami

A profile is test or live. On a live profile, commands that move money or destroy data ask first; a script needs --yes. A profile can have limits that no confirmation overrides: --read-only, --operations payment.capture,payment.refund, --max-amount "500 EUR". A stored key is sent only to its own profile's base URL.
`,
  sandbox: `Sandbox

  pay smoke --sandbox                        run a payment through its whole life cycle
  pay --sandbox payment create --token tok_visa --amount "10.00 EUR" --order-id A-1
  pay sandbox scenarios                      list cards and tokens and what they do
  pay sandbox tokenize --card 4111111111111111
  pay sandbox clock advance 2h               settle pending payments and refunds
  pay sandbox reset                          start over

The whole service runs inside pay and keeps its data in a folder on this machine: no server, no key, no network, no real money. Data persists between commands.
`,
  ledger: `Ledger

  pay ops list --state in-doubt     list the writes whose outcome is unknown
  pay ops resolve --all             find their outcomes, and finish them without doing any twice
  pay ops show ID                   show everything recorded about one write, and what to do next
  pay ops abandon ID --reason TEXT  close a write after checking it yourself, if pay can't

pay records every write on this machine before sending it, and its outcome before reporting it.
  sending    a process is sending it
  in-doubt   it may or may not have been done; blocks other writes to its target until resolved
  confirmed  the service confirmed it, or pay found that it was done
  rejected   it was not done
  abandoned  a person closed it
The records are in one SQLite file, PAY_STATE_DIR/ledger.db. They contain no keys and no tokens.
`,
}
