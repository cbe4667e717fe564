import { hasUnsafeCharacters, safeText } from '../../output/safe-text.ts'
import { quoteForBash, quoteForPowerShell, readBashLine, unquoted } from './shell-words.ts'
import { isRepeatable, takesValue, typedFlags } from '../parse/command-flags.ts'
import type { TypedFlag } from '../parse/command-flags.ts'
import type { Context } from '../command/context.ts'
import type { Noun, Tree } from '../command/spec.ts'
import { splitOnce, scanLine } from '../parse/scan-line.ts'
import type { ValueSource, ValueSpec } from '../command/flags.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { formatMoney } from '../../money/format.ts'
import { containsCardNumber } from '../../output/card-number.ts'
import { withIdentity } from '../command/sandbox-identity.ts'
import { selectAccount } from '../account/account.ts'

/** A possible word at the cursor, and its description. */
interface Candidate {
  readonly value: string
  readonly description?: string | undefined
}

interface CompletionRequest {
  readonly tree: Tree
  readonly context: Context
  /** The values of the flags before the cursor. */
  readonly given: ReadonlyMap<string, string>
}

/**
 * Prints the candidates for a shell, one per line: `value TAB description`, or `:files` to let the shell complete file
 * names. After an error there are no candidates. Uses no network and no secrets, and writes nothing.
 */
export async function complete(tree: Tree, words: readonly string[], context: Context): Promise<number> {
  try {
    const [shell = '', ...rest] = words
    await context.stdout.write(
      (await linesFor(shell, rest, tree, context)).map((line) => `${line}\n`).join(''),
    )
  } catch {
    // Such as an unreadable profile file. The commands that need it report it.
  }
  return 0
}

async function linesFor(
  shell: string,
  rest: readonly string[],
  tree: Tree,
  context: Context,
): Promise<readonly string[]> {
  if (shell === 'bash') {
    const [wordBreaks = '', line = ''] = rest
    const { before, current, prefixLength, quote } = readBashLine(line, wordBreaks)
    const found = await candidates(tree, context, before, current)
    if (typeof found === 'string') return [`:${found}`]
    return found.flatMap(({ value }) => quoteForBash(value.slice(prefixLength), quote) ?? [])
  }
  // The scripts mark this argument with a colon, because PowerShell drops empty arguments.
  const [markedWord = ':', ...before] = rest
  const found = await candidates(tree, context, before, unquoted(markedWord.slice(1)))
  if (typeof found === 'string') return [`:${found}`]
  return found.map(({ value, description }) => {
    const words = description === undefined || description === '' ? [value] : [value, safeText(description)]
    return (shell === 'powershell' ? [quoteForPowerShell(value), ...words] : words).join('\t')
  })
}

/** What the shell completes by itself. */
type Paths = 'files' | 'folders'

/** Finds what `current` can be, given the words before it. Loads only the named command. */
async function candidates(
  tree: Tree,
  context: Context,
  before: readonly string[],
  current: string,
): Promise<readonly Candidate[] | Paths> {
  const [nounAt, verbAt] = scanLine(before).positions
  const word = nounAt === undefined ? undefined : (before[nounAt] ?? '')
  const noun = Object.entries(tree).find(([name, { alias }]) => name === word || alias === word)?.[1]
  const verb = verbAt === undefined ? undefined : (before[verbAt] ?? '')
  const load =
    noun?.load ??
    (verb !== undefined && Object.hasOwn(noun?.verbs ?? {}, verb) ? noun?.verbs?.[verb] : undefined)
  const spec = load === undefined ? undefined : (await load()).command
  const flags = typedFlags(spec)
  const { given, positions, pending, isPastFlags } = scanLine(before, flags)
  const request: CompletionRequest = { tree, context, given }
  if (pending !== undefined) return flagValues(pending, '', current, request)
  if (current.startsWith('-') && !isPastFlags) {
    const [name, inline] = splitOnce(current, '=')
    const flag = flags.find(({ typed, kind }) => typed === name && takesValue(kind))
    if (inline !== undefined) return flag === undefined ? [] : flagValues(flag, `${name}=`, inline, request)
    const open = flags.filter((one) => isRepeatable(one.kind) || !given.has(one.name))
    return matching(
      open.map(({ typed, help }) => ({ value: typed, description: help })),
      current,
    )
  }
  if (nounAt === undefined) return matching(nounNames(tree), current)
  if (noun === undefined) return []
  if (spec === undefined) return verbAt === undefined ? matching(await verbNames(noun), current) : []
  const commandIsAt = noun.load === undefined ? [nounAt, verbAt] : [nounAt]
  const argument = spec.args?.[positions.filter((position) => !commandIsAt.includes(position)).length]
  if (argument === undefined || argument.secret === true) return []
  const values = await valuesFor(argument, undefined, request)
  return typeof values === 'string' ? values : matching(values, current)
}

const nounNames = (tree: Tree): readonly Candidate[] =>
  Object.entries(tree).flatMap(([name, { summary, alias }]) =>
    [name, ...(alias === undefined ? [] : [alias])].map((value) => ({ value, description: summary })),
  )

const verbNames = ({ verbs = {} }: Noun): Promise<readonly Candidate[]> =>
  Promise.all(
    Object.entries(verbs).map(async ([value, load]) => ({
      value,
      description: (await load()).command.summary,
    })),
  )

/** The values of a flag. `before` is what precedes the value in the same word: `--output=`. */
async function flagValues(
  flag: TypedFlag,
  before: string,
  text: string,
  request: CompletionRequest,
): Promise<readonly Candidate[] | Paths> {
  if (flag.secret === true) return []
  const comma = flag.value?.endsWith(',…') === true ? text.lastIndexOf(',') + 1 : 0
  const [prefix, typed] = [`${before}${text.slice(0, comma)}`, text.slice(comma)]
  const values = await valuesFor(flag, flag.kind, request)
  if (typeof values !== 'string') return matching(values, typed, prefix)
  // A shell completes file names alone, so known names come first: files if none of them fits.
  const named = matching(
    (flag.suggestions ?? []).map((value) => ({ value })),
    typed,
    prefix,
  )
  return named.length === 0 ? values : named
}

/** The longest candidate, in characters. */
const MAX_LENGTH = 200
const MAX_CANDIDATES = 100

/** The candidates that start with what is typed, without duplicates and without control characters. */
function matching(all: readonly Candidate[], typed: string, prefix = ''): readonly Candidate[] {
  const seen = new Set<string>()
  return all
    .filter(({ value }) => {
      const isNew = !seen.has(value)
      seen.add(value)
      return isNew && value !== '' && value.startsWith(typed) && isPrintable(value)
    })
    .slice(0, MAX_CANDIDATES)
    .map(({ value, description }) => ({ value: `${prefix}${value}`, description }))
}

const isPrintable = (value: string): boolean =>
  value.length <= MAX_LENGTH && !/[\t\r\n]/.test(value) && !hasUnsafeCharacters(value)

/** The candidates for a value: valid or known values, or names found on this machine. */
async function valuesFor(
  { choices, suggestions, from }: ValueSpec,
  kind: string | undefined,
  request: CompletionRequest,
): Promise<readonly Candidate[] | Paths> {
  const listed = choices ?? suggestions ?? (kind === 'currency' ? CURRENCY_CODES : undefined)
  if (from === 'file') return 'files'
  if (from === 'folder') return 'folders'
  return [
    ...(listed ?? []).map((value) => ({ value })),
    ...(from === undefined ? [] : await namesFrom(from, request)),
  ]
}

async function namesFrom(
  source: Exclude<ValueSource, 'file' | 'folder'>,
  request: CompletionRequest,
): Promise<readonly Candidate[]> {
  switch (source) {
    case 'profile':
      return profiles(request)
    case 'payment':
      return (await listAccountRecords(request)).flatMap((record) =>
        candidateFor(record, paymentOf(record) ?? undefined),
      )
    case 'order':
    case 'record':
      return (await listAccountRecords(request)).flatMap((record) =>
        candidateFor(record, targetOf(record, source)),
      )
    case 'write':
      return (await listRecentRecords(request))
        .toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
        .flatMap((record) => candidateFor(record, record.id))
    case 'operation':
    case 'write-operation': {
      const { OPERATIONS } = await import('../../api/table.ts')
      return OPERATIONS.filter(({ risk }) => source === 'operation' || risk !== 'read').map(
        ({ id, summary }) => ({ value: id, description: summary }),
      )
    }
    case 'noun':
      return Object.entries(request.tree).map(([value, { summary }]) => ({ value, description: summary }))
  }
}

function profiles({ context }: CompletionRequest): readonly Candidate[] {
  const { profiles: stored } = readProfiles(context.configFolder, { uid: context.uid })
  return [
    ...[...stored.values()].map(({ name, mode, baseUrl }) => ({
      value: name,
      description: `${mode}, ${baseUrl}`,
    })),
    { value: SANDBOX, description: 'the embedded sandbox: no real money' },
  ]
}

/** Lists the records of the selected profile alone: an ID of another account is not valid in this one. */
async function listAccountRecords(request: CompletionRequest): Promise<readonly StoredRecord[]> {
  const { context, given } = request
  const flags = Object.fromEntries(
    ['profile', 'base-url'].flatMap((name) => {
      const value = given.get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  const { account: selected } = selectAccount(
    context,
    { args: {}, flags: { ...flags, ...(given.has('sandbox') ? { sandbox: true } : {}) } },
    false,
  )
  const account = await withIdentity(context, selected, { creates: false })
  const name = account.profile?.value ?? null
  return (await listRecentRecords(request)).filter(
    ({ profile, baseUrl }) => profile === name && baseUrl === account.baseUrl.value,
  )
}

/** The most records to read: more would slow down Tab completion. */
const MAX_RECENT = 100

const listRecentRecords = ({ context }: CompletionRequest): Promise<readonly StoredRecord[]> =>
  context.ledger(undefined).then((ledger) => ledger.recent(MAX_RECENT))

const targetOf = ({ targetKind, target }: StoredRecord, kind: string): string | undefined =>
  targetKind === kind ? (target ?? undefined) : undefined

const isOpen = ({ state }: StoredRecord): boolean => state === 'sending' || state === 'in-doubt'

function candidateFor(record: StoredRecord, value: string | undefined): readonly Candidate[] {
  if (value === undefined || containsCardNumber(value)) return []
  const { operation, amount, currencyCode, state, updatedAt } = record
  const money = amount === null ? [] : [formatMoney(amount, currencyCode ?? undefined)]
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  const what = [operation, ...money].join(' ')
  return [{ value, description: `${what}, ${state}, ${when}` }]
}
