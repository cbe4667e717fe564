import { resolve } from 'node:path'
import { OPERATIONS } from '../../api/table.ts'
import { checkWith } from '../../cli/command/prompts-port.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { listFlag, switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { checkBaseUrl } from '../../client/config/base-url.ts'
import { checkLedgerAccount, checkLedgerUrl, REQUIRED } from '../../client/config/ledger-choice.ts'
import type { StoredLedger } from '../../client/config/ledger-choice.ts'
import { checkApiVersion } from '../../client/config/profile.ts'
import type { Limits, Profile } from '../../client/config/profile.ts'
import { checkApiKey, checkKeyCommand, readKeyFile } from '../../client/config/api-key.ts'
import { UsageError } from '../../errors.ts'
import { parseCount } from '../../cli/parse/count.ts'
import { parseAmount } from '../../money/parse.ts'
import { didYouMean, meantBy } from '../../text/suggest.ts'
import { LIFTED, LIMIT_FLAGS, readLimitFlags } from '../limit-flags.ts'
import type { LimitChange } from '../limit-flags.ts'
import { checkSigners } from '../check-signers.ts'
import type { FlagSpec } from '../../cli/command/flags.ts'
import type { LimitsInTime } from '../../client/ledger/port.ts'
import { shellWord } from '../../files/shell.ts'

/** The fields of a profile as flags of `add` and `set`. */
export const PROFILE_FLAGS = {
  'base-url': { kind: 'text', value: 'URL', help: 'Service address: https, or http on loopback' },
  test: { kind: 'switch', help: "Moves no real money: commands don't ask for confirmation" },
  live: { kind: 'switch', help: 'Moves real money: commands that do so ask first' },
  'api-key-stdin': { kind: 'switch', help: 'Read the API key from stdin' },
  'api-key-file': { kind: 'text', value: 'FILE', from: 'file', help: 'Read the API key from a file' },
  'api-key-command': {
    kind: 'text',
    value: 'COMMAND',
    help: "Run this command for the key, once per process, in place of a stored one: 'op read op://shop/key'. Words, no shell",
  },
  'api-version': { kind: 'text', value: 'VERSION', help: 'X-Api-Version to send' },
  'read-only': { kind: 'either', help: 'Allow only reads' },
  operations: {
    kind: 'text',
    value: 'ID,…',
    from: 'write-operation',
    help: 'Allow only these writes, such as payment.capture,payment.refund',
  },
  'max-amount': {
    kind: 'texts',
    value: 'AMOUNT',
    help: "Maximum amount of one call, such as '500 EUR'; repeatable, once per currency; none lifts it",
  },
  ...LIMIT_FLAGS,
  approvals: {
    kind: 'count',
    value: 'N',
    help: "Signatures that a batch plan needs besides the planner's; 0 for none",
  },
  signers: {
    kind: 'text',
    value: 'FILE',
    from: 'file',
    help: "The team's allowed_signers file: who may sign with which SSH key",
  },
  ledger: {
    kind: 'text',
    value: 'URL',
    help: "A team's ledger: postgres://USER@HOST/DATABASE; required sends nothing without one, local goes back",
  },
  'ledger-account': { kind: 'text', value: 'ACCOUNT', help: 'The account to join in it' },
} as const satisfies Record<string, FlagSpec>

/** The profile fields that the flags set; a field left out stays as it is. */
export interface ProfileChange {
  readonly baseUrl?: string
  readonly mode?: 'test' | 'live'
  readonly apiKey?: string
  readonly apiKeyCommand?: string
  readonly apiVersion?: string
  readonly limits: Partial<Limits>
  /** The limits over time. */
  readonly inTime?: LimitChange
  /** `local` for this machine's own, `required`, or a URL. */
  readonly ledger?: string
  readonly ledgerAccount?: string
  /** Signatures that a plan needs; 0 removes the requirement. */
  readonly approvals?: number
}

export async function readChange(invocation: Invocation, input: CommandInput): Promise<ProfileChange> {
  const [isTest, isLive] = [switchFlag(input, 'test'), switchFlag(input, 'live')]
  if (isTest && isLive) throw new UsageError('Use either --test or --live, not both', { code: 'given_twice' })
  const baseUrl = textFlag(input, 'base-url')
  const apiVersion = textFlag(input, 'api-version')
  const command = textFlag(input, 'api-key-command')
  if (
    command !== undefined &&
    (switchFlag(input, 'api-key-stdin') || textFlag(input, 'api-key-file') !== undefined)
  )
    throw new UsageError('Use either --api-key-command or a key, not both', { code: 'two_sources' })
  const apiKey = await readKey(invocation, input)
  const inTime = readLimitFlags(input)
  return {
    ...(Object.keys(inTime).length === 0 ? {} : { inTime }),
    ...(baseUrl === undefined ? {} : { baseUrl: checkBaseUrl(baseUrl, '--base-url') }),
    ...(isTest ? { mode: 'test' } : isLive ? { mode: 'live' } : {}),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(command === undefined ? {} : { apiKeyCommand: checkKeyCommand(command, invocation.context.cwd) }),
    ...(apiVersion === undefined ? {} : { apiVersion: checkApiVersion(apiVersion, '--api-version') }),
    ...readLedger(input),
    limits: { ...readLimits(input), ...(await readSigners(invocation, input)) },
    ...(textFlag(input, 'approvals') === undefined
      ? {}
      : { approvals: parseCount(textFlag(input, 'approvals') ?? '', '--approvals') }),
  }
}

function readLedger(input: CommandInput): Pick<ProfileChange, 'ledger' | 'ledgerAccount'> {
  const ledger = textFlag(input, 'ledger')
  const account = textFlag(input, 'ledger-account')
  const isWord = ledger === undefined || ledger === LOCAL || ledger === REQUIRED
  return {
    ...(ledger === undefined ? {} : { ledger: isWord ? ledger : checkLedgerUrl(ledger, '--ledger') }),
    ...(account === undefined ? {} : { ledgerAccount: checkLedgerAccount(account, '--ledger-account') }),
  }
}

/** The ledger of a profile after a change. Another ledger or account must be joined first. */
export function changedLedger(before: StoredLedger, { ledger, ledgerAccount }: ProfileChange): StoredLedger {
  const next = ledger === LOCAL ? undefined : (ledger ?? before.ledger)
  const isSame = next === before.ledger
  const account = ledgerAccount ?? (isSame ? before.ledgerAccount : undefined)
  if (next === undefined || next === REQUIRED) return { ledger: next }
  const hasJoined = isSame && account === before.ledgerAccount
  const joined = hasJoined ? before : {}
  return {
    ledger: next,
    ledgerAccount: account,
    ledgerId: joined.ledgerId,
    ledgerSchema: joined.ledgerSchema,
  }
}

export const LOCAL = 'local'

async function readSigners(invocation: Invocation, input: CommandInput): Promise<Partial<Limits>> {
  const given = textFlag(input, 'signers')
  if (given === undefined) return {}
  const signers = resolve(invocation.context.cwd, given)
  await checkSigners(invocation, signers)
  return { signers }
}

/**
 * The limits after a change to the number of approvals. 0 removes the requirement together with the file of signers.
 * @throws {UsageError} `missing_input` if approvals are required and no one is named who could give them
 */
export function withApprovals(limits: Limits, approvals: number | undefined): Limits {
  if (approvals === 0) return { ...limits, approvals: undefined, signers: undefined }
  const changed = approvals === undefined ? limits : { ...limits, approvals }
  if ((changed.approvals === undefined) !== (changed.signers === undefined))
    throw new UsageError(
      changed.signers === undefined
        ? 'Missing: --signers, which --approvals needs'
        : 'Missing: --approvals, which --signers needs',
      {
        code: 'missing_input',
        hint: 'Give both: how many people have to approve a plan, and the file that lists them with their SSH keys.',
      },
    )
  return changed
}

/** The limits over time after a change: `none` lifts one, and each currency has its own total. */
export const changedInTime = (
  before: LimitsInTime,
  { maxTotal, maxCount }: LimitChange = {},
): LimitsInTime => ({
  maxTotal:
    maxTotal === LIFTED
      ? undefined
      : maxTotal === undefined
        ? before.maxTotal
        : { ...before.maxTotal, ...maxTotal },
  maxCount: maxCount === LIFTED ? undefined : (maxCount ?? before.maxCount),
})

/** Notes that approvals alone protect nothing: without a highest amount, a single call can move what no plan may. */
export async function noteUnlimitedCalls(
  { note }: Invocation,
  { name, limits: { approvals, maxAmount } }: Profile,
): Promise<void> {
  if (approvals === undefined || maxAmount !== undefined) return
  await note(
    `Single commands need no approval. To limit them: pay profile set ${shellWord(name)} --max-amount "50 EUR"`,
  )
}

/** Reads the key from stdin or a file. No flag takes the key itself: other users can see command lines. */
async function readKey(invocation: Invocation, input: CommandInput): Promise<string | undefined> {
  const { context } = invocation
  const path = textFlag(input, 'api-key-file')
  const fromStdin = switchFlag(input, 'api-key-stdin')
  if (fromStdin && path !== undefined) {
    throw new UsageError('Use either --api-key-stdin or --api-key-file, not both', {
      code: 'two_sources',
    })
  }
  if (fromStdin)
    return registerKey(
      invocation,
      checkApiKey(await readSecret(invocation, { what: '--api-key-stdin', label: 'API key' }), 'stdin'),
    )
  if (path === undefined) return undefined
  const file = readKeyFile(path, { uid: context.uid })
  for (const line of file.warnings) await invocation.warn(`Warning: ${line}`)
  return registerKey(invocation, file.apiKey)
}

export async function askKey(invocation: Invocation): Promise<string | undefined> {
  if (!invocation.isInteractive) return undefined
  const prompts = await invocation.prompts()
  // Pasted text often has spaces around it.
  const typed = await prompts.secret({
    label: 'API key',
    hint: 'leave empty to add it later',
    check: checkWith((answer) => answer.trim() === '' || checkApiKey(answer.trim(), 'the prompt')),
  })
  return typed.trim() === '' ? undefined : registerKey(invocation, checkApiKey(typed.trim(), 'the prompt'))
}

function registerKey(invocation: Invocation, apiKey: string): string {
  invocation.keepSecret(apiKey)
  return apiKey
}

function readLimits(input: CommandInput): Partial<Limits> {
  const readOnly = input.flags['read-only']
  const operations = textFlag(input, 'operations')
  const maxAmount = listFlag(input, 'max-amount')
  return {
    ...(typeof readOnly === 'boolean' ? { readOnly } : {}),
    ...(operations === undefined ? {} : { operations: readOperations(operations) }),
    ...(maxAmount.length === 0 || liftsMaxAmount(input) ? {} : { maxAmount: readMaxAmount(maxAmount) }),
  }
}

function readOperations(text: string): readonly string[] {
  const known = OPERATIONS.map((operation) => operation.id)
  const ids = text.split(',').map((id) => id.trim())
  for (const id of ids) {
    if (known.some((candidate) => candidate === id)) continue
    const verb = meantBy(
      id,
      known.map((candidate) => candidate.replace(/^.*\./, '')),
    )
    const verbs = known.filter((candidate) => candidate.endsWith(`.${verb ?? id}`))
    throw new UsageError(`--operations: unknown operation "${id}"`, {
      code: 'bad_value',
      hint:
        verbs.length > 0
          ? `Did you mean ${verbs.join(' or ')}?`
          : (didYouMean(id, known) ?? `Known operations: ${known.join(', ')}`),
    })
  }
  return ids
}

/** Whether the limits on the amounts of calls are lifted. */
export function liftsMaxAmount(input: CommandInput): boolean {
  const amounts = listFlag(input, 'max-amount')
  if (amounts.length > 1 && amounts.includes(LIFTED))
    throw new UsageError('Use --max-amount none alone', { code: 'given_twice' })
  return amounts[0] === LIFTED
}

function readMaxAmount(texts: readonly string[]): Readonly<Record<string, number>> {
  const limits: Record<string, number> = {}
  for (const text of texts) {
    const { amountMinor, currencyCode } = parseAmount(text, { what: '--max-amount', allowZero: true })
    if (currencyCode === undefined) {
      throw new UsageError(`--max-amount "${text}" needs a currency`, {
        code: 'amount_needs_currency',
        hint: 'Write it like "500 EUR".',
      })
    }
    limits[currencyCode] = amountMinor
  }
  return limits
}
