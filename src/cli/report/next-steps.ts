import { ACTION_NAMES, actionOf, ruledOut } from '../../api/actions/actions.ts'
import { knownStatus } from '../../api/payment-states.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import { closest } from '../../text/suggest.ts'
import { isLoopback } from '../../text/loopback.ts'
import { safeText } from '../../output/safe-text.ts'
import { NO_ACCOUNT, describeAccount } from '../../client/config/resolve-account.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import type { PayError } from '../../errors.ts'
import type { CommandRun } from '../command/spec.ts'
import { textFlag } from '../command/input.ts'
import { formatMoney } from '../../money/format.ts'
import { parseAmount } from '../../money/parse.ts'
import { plainWord } from '../../text/shell-word.ts'
import { flagWord, lastWords, shellWord } from '../../files/shell.ts'
import { accountFlagsOf } from '../command/flag-words.ts'
import type { ScannedLine } from '../parse/scan-line.ts'

interface Advice {
  readonly hint?: string | undefined
  readonly next?: readonly string[]
}

/** What to do next, if the error itself does not say. */
export async function adviceFor(error: PayError, invocation: CommandRun, line: ScannedLine): Promise<Advice> {
  const id = plainWord(error.details.paymentId) ?? plainWord(invocation.target.id)
  const accountFlags = accountFlagsOf(invocation)
  const showPayment = id === undefined ? [] : [`pay${accountFlags} payment get ${id}`]
  switch (error.code) {
    case 'outcome_unknown':
      return adviceForUnknownOutcome(error, showPayment)
    case 'no_key':
      return error.message === NO_ACCOUNT
        ? { next: ['pay profile add NAME', inSandbox(invocation, line)] }
        : {}
    case 'unauthorized':
      return adviceForRefusedKey(await invocation.account(), accountFlags)
    case 'forbidden': {
      const { origin } = keySource(await invocation.account())
      return { hint: `${origin} It may lack a scope for this: use another key, or add the scope.` }
    }
    case 'not_connected':
      return {
        hint: await adviceForConnection(invocation),
        next: [`pay${accountFlags} whoami`],
      }
    case 'server_error':
      return error.details.retryable === true
        ? {
            hint: `Nothing was done. Try again in a moment${error.details.httpStatus === undefined ? ', with more time if it is slow: --timeout 60s' : ''}.`,
          }
        : {}
    case 'unusable_answer':
    case 'wrong_answer':
      return {
        hint: 'It may not come from the payment service: check the base URL and the proxy.',
        next: [`pay${accountFlags} whoami`],
      }
    case 'invalid_client_token':
      return {
        hint: "A client token is valid for 24 hours: use the session's latest one, or create another session.",
        next: ['pay session create --help'],
      }
    case 'connection_not_found':
      return inTest(invocation, 'Give the ID that your account has for its loyalty provider.', {
        hint: "The sandbox's is points-1.",
        next: ['pay sandbox scenarios'],
      })
    case 'payment_not_created':
      return /token/i.test(error.details.description ?? '')
        ? inTest(invocation, 'Take a new token from the checkout: most work only once.', {
            hint: 'In a sandbox, use a test token, such as tok_visa.',
            next: ['pay sandbox scenarios'],
          })
        : {}
    case 'invalid_request':
      return error.details.validationErrors?.some(({ path }) => path.endsWith('resumeToken')) === true
        ? inTest(invocation, 'Give the token that the checkout returned last.', {
            hint: 'In a sandbox, pay sandbox challenge makes it.',
            next: [...showPayment, 'pay sandbox challenge --help'],
          })
        : {}
    case 'not_found':
      return adviceForNothingThere(invocation, accountFlags)
    case 'payment_not_found':
      return (
        (await adviceForOtherName(invocation, line)) ??
        adviceForEmail(invocation, accountFlags) ?? {
          hint: `Asked ${describeAccount(await invocation.account())}. Check the ID and the account.`,
          next: [`pay${accountFlags} payment list`],
        }
      )
    case 'invalid_status':
      return adviceForStatus(error, id, `pay${accountFlags} payment`)
    case 'capture_exceeds_remaining':
    case 'refund_exceeds_remaining':
      // Figures of ours are in the currency.
      return {
        hint: error.details.description === undefined ? undefined : figuresInWords(invocation),
        next: showPayment,
      }
    case 'already_done':
    case 'idempotency_key_used':
    case 'already_refunded':
    case 'already_authorized':
    case 'not_authorized_yet':
      return { next: showPayment }
    case 'not_estimated':
      return {
        hint: 'Only an authorization that was created with authorizationType ESTIMATED can change. Capture less, or refund a part.',
        next: showPayment,
      }
    case 'already_exists': {
      const record = plainWord(textFlag(invocation.input, 'payment-id')) ?? 'PAYMENT_ID'
      const pay = `pay${accountFlags} observability`
      return { next: [`${pay} get ${record}`, `${pay} update ${record} --set FIELD=VALUE`] }
    }
    case 'saved_method_not_found':
      return { next: [`pay${accountFlags} instrument list --customer-id CUSTOMER`] }
    case 'rate_limited':
      return { hint: 'Nothing was done. Try again later.' }
    default:
      return {}
  }
}

/** A hint. A test account, which may be a sandbox, also gets the sandbox's advice. */
async function inTest({ account }: CommandRun, hint: string, sandbox: Required<Advice>): Promise<Advice> {
  const { mode } = await account()
  return mode.value === 'test' ? { hint: `${hint} ${sandbox.hint}`, next: sandbox.next } : { hint }
}

/** Advice for a refused connection. On this machine, it means that no server is running. */
async function adviceForConnection({ account }: CommandRun): Promise<string> {
  const { protocol, hostname, port } = new URL((await account()).baseUrl.value)
  return protocol === 'http:' && isLoopback(hostname)
    ? `Nothing responds there: start the server. For a sandbox: pay sandbox start${port === '' ? '' : ` --port ${port}`}`
    : 'Check the base URL, the network and the proxy settings.'
}

/** Where to look for a record, or what a path may have meant. */
async function adviceForNothingThere({ spec, input }: CommandRun, accountFlags: string): Promise<Advice> {
  const [noun, verb] = spec.path
  if (noun === 'observability')
    return {
      hint:
        verb === 'update' ? 'It changes an existing record; pay observability push creates one.' : undefined,
      next: [`pay${accountFlags} observability list`],
    }
  if (noun !== 'api') return {}
  const { OPERATIONS } = await import('../../api/table.ts')
  const [, first = '', rest = ''] = /^\/?([^/?]*)(.*)$/s.exec(input.args['PATH'] ?? '') ?? []
  const near = closest(
    first,
    OPERATIONS.map(({ path }) => path.split('/')[1] ?? ''),
  )
  return near === undefined || near === first
    ? { next: ['pay schema'] }
    : { hint: `Did you mean /${near}${rest}?`, next: ['pay schema'] }
}

/** What the service's figures mean beside an amount that was typed with its currency; a bare one is in minor units, as they are. */
function figuresInWords({ input }: CommandRun): string | undefined {
  const text = textFlag(input, 'amount')
  if (text === undefined) return undefined
  const { amountMinor, currencyCode } = parseAmount(text, {
    what: '--amount',
    currencyCode: textFlag(input, 'currency'),
    allowZero: true,
  })
  return currencyCode === undefined
    ? undefined
    : `The service counts in minor units: ${amountMinor} is ${formatMoney(amountMinor, currencyCode)}.`
}

/** The line for an argument that the service knows by another name: an order in place of a payment's ID. */
async function adviceForOtherName(
  invocation: CommandRun,
  { words, isPastFlags }: ScannedLine,
): Promise<Advice | undefined> {
  const other = await findOtherName(invocation)
  if (other === undefined) return undefined
  const { flag, typed } = other
  const at = words.indexOf(typed)
  // If a flag has the same value, or no flag may stand there, show only what reads.
  const line =
    words.lastIndexOf(typed) === at && !isPastFlags
      ? `pay ${words.toSpliced(at, 1, `--${flag}`, typed).map(shellWord).join(' ')}`
      : `pay${accountFlagsOf(invocation)} payment get ${flagWord(flag, typed)}`
  return {
    hint: `There is no payment with this ID, but an ${flag} ${invocation.cleanText(typed)}.`,
    next: [line],
  }
}

/** The line that was typed, in the sandbox; without its flags if one of them is a secret. */
function inSandbox({ spec, input }: CommandRun, { words }: ScannedLine): string {
  const isSecret = Object.entries(spec.flags ?? {}).some(
    ([name, flag]) => 'secret' in flag && flag.secret === true && input.flags[name] !== undefined,
  )
  return ['pay', '--sandbox', ...(isSecret ? spec.path : words.map(shellWord))].join(' ')
}

/** An argument that the service knows only as the value of a flag: an order in place of a payment's ID. */
export async function findOtherName(
  invocation: CommandRun,
): Promise<{ readonly flag: string; readonly typed: string } | undefined> {
  const { spec, input } = invocation
  for (const { name, lookup } of spec.args ?? []) {
    const typed = input.args[name]
    if (typed === undefined || lookup === undefined) continue
    if (await lookup.isKnown(invocation, typed).catch(() => false)) return { flag: lookup.flag, typed }
  }
  return undefined
}

function adviceForEmail({ target: { id } }: CommandRun, accountFlags: string): Advice | undefined {
  return id?.includes('@') === true
    ? {
        hint: 'This looks like an e-mail, and the command needs the ID of a payment.',
        next: [`pay${accountFlags} find ${lastWords(id)}`],
      }
    : undefined
}

/** What the statuses mean that end a payment without money. */
const FINAL_HINTS: Partial<Record<PaymentStatus, string>> = {
  DECLINED: 'It was declined, so no money was taken. The customer can pay again.',
  FAILED: 'It failed, so no money was taken. The customer can pay again.',
  CANCELLED: 'It is cancelled, so no money will be taken. The customer must pay again.',
}

/** A script doesn't read the payment, so its status is unknown: `payment explain` shows what can be done. */
function adviceForStatus({ details }: PayError, id: string | undefined, pay: string): Advice {
  const action = ACTION_NAMES.find((name) => actionOf(name).operation === details.operation)
  // Some services say the status only in words: `Payment p1 is SETTLED`.
  const said = / is ([A-Z_]+)\b/.exec(details.description ?? '')?.[1]
  const status = knownStatus(details.paymentStatus ?? said)
  const instead = action === undefined || status === undefined ? undefined : ruledOut(action, status)
  const hint = instead?.hint ?? (status === undefined ? undefined : FINAL_HINTS[status])
  if (id === undefined) return { hint }
  return { hint, next: [...(instead?.instead ?? []), 'explain'].map((verb) => `${pay} ${verb} ${id}`) }
}

const KEY_VARIABLES = [
  {
    name: 'PAY_API_KEY_FILE',
    words: 'the file that PAY_API_KEY_FILE names',
    remedy: (url: string) => `Put a key for ${url} into that file`,
  },
  {
    name: 'PAY_API_KEY',
    words: 'the environment variable PAY_API_KEY',
    remedy: (url: string) => `Set it to a key for ${url}`,
  },
] as const

/** Where the API key came from, which is where to correct it. */
function keySource({ apiKey, profile }: Account) {
  const variable = KEY_VARIABLES.find(({ name }) => apiKey?.source === `environment ${name}`)
  return { variable, origin: `The key came from ${variable?.words ?? `profile ${profile?.value ?? ''}`}.` }
}

/** Where the key came from, and how to give another one. */
export function adviceForRefusedKey(account: Account, accountFlags: string): Advice {
  const { variable, origin } = keySource(account)
  const { profile, baseUrl, keyCommand } = account
  const whoami = `pay${accountFlags} whoami`
  if (keyCommand !== undefined)
    return {
      hint: `The key came from the ${keyCommand.source}: ${safeText(keyCommand.value)}`,
      next: [whoami],
    }
  if (variable === undefined)
    return {
      hint: origin,
      next: [`pay profile set ${shellWord(profile?.value ?? 'NAME')} --api-key-stdin`, whoami],
    }
  const stored =
    profile === undefined
      ? ''
      : `, or unset ${variable.name} to use the key stored in profile ${profile.value}`
  return { hint: `${origin} ${variable.remedy(baseUrl.value)}${stored}.`, next: [whoami] }
}

/** How to resolve an unknown outcome: by repeating the command, by asking the service, or only by a person. */
async function adviceForUnknownOutcome(error: PayError, showPayment: readonly string[]): Promise<Advice> {
  const { OPERATIONS } = await import('../../api/table.ts')
  const { operation, operationId } = error.details
  const row = OPERATIONS.find(({ id }) => id === operation)
  switch (row?.replay) {
    case 'safe':
      return {
        hint: 'Run the same command again: it is safe to repeat, and resolves this.',
        next: showPayment,
      }
    case 'keyed':
    case 'compare':
    case 'look':
      return {
        hint: "Don't repeat it by hand. pay ops resolve finds out what happened, and never does it twice.",
        next: [...resolveOf(error), ...showPayment],
      }
    case 'never':
    case undefined:
      return {
        hint: `It may have been done, and the service has no way to find out. ${
          row?.risk === 'write'
            ? 'At worst, it created something that is never used.'
            : "Check where it would appear, such as in the provider's own records."
        } Then close it with pay ops abandon.`,
        next: [
          ...(operationId === undefined ? [] : [`pay ops show ${shellWord(operationId)}`]),
          ...showPayment,
        ],
      }
  }
}

const resolveOf = ({ details: { operationId } }: PayError): readonly string[] =>
  operationId === undefined ? [] : [`pay ops resolve ${shellWord(operationId)}`]
