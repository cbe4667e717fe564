import { hasUnsafeCharacters, safeText } from '../../output/safe-text.ts'
import { quoteForBash, quoteForPowerShell, readBashLine, unquoted } from './shell-words.ts'
import { isRepeatable, takesValue, typedFlags } from '../parse/command-flags.ts'
import type { TypedFlag } from '../parse/command-flags.ts'
import type { Context } from '../command/context.ts'
import type { Noun, Tree } from '../command/spec.ts'
import { splitOnce, scanLine } from '../parse/scan-line.ts'
import type { ArgumentSpec, ValueSource, ValueSpec } from '../command/flags.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { formatMoney } from '../../money/format.ts'
import { containsCardNumber } from '../../output/card-number.ts'
import { withIdentity } from '../command/sandbox-identity.ts'
import { selectAccount } from '../account/account.ts'

/** In characters. */
const MAX_LENGTH = 200
const MAX_CANDIDATES = 100

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

async function candidates(
  tree: Tree,
  context: Context,
  before: readonly string[],
  current: string,
): Promise<readonly Candidate[] | 'files' | 'folders'> {
  const { place, given } = await findPlace(tree, before, current)
  const request: CompletionRequest = { tree, context, given }
  switch (place.kind) {
    case 'nothing':
      return []
    case 'noun':
      return matchingCandidates(nouns(tree), '', current)
    case 'verb':
      return matchingCandidates(await verbs(place.noun), '', current)
    case 'flag':
      return matchingCandidates(place.flags.flatMap(flagCandidates), '', current)
    case 'value': {
      const { flag, prefix, typed } = place
      if (flag.secret === true) return []
      const values = await valuesFor(flag, flag.kind, request)
      return typeof values === 'string'
        ? namesOr(values, flag, prefix, typed)
        : matchingCandidates(values, prefix, typed)
    }
    case 'argument': {
      const { argument } = place
      if (argument.secret === true) return []
      const values = await valuesFor(argument, undefined, request)
      return typeof values === 'string' ? values : matchingCandidates(values, '', current)
    }
  }
}

/** A shell completes file names alone, so known names come first: files if none of them fits. */
function namesOr(
  files: 'files' | 'folders',
  { suggestions = [] }: TypedFlag,
  prefix: string,
  typed: string,
): readonly Candidate[] | 'files' | 'folders' {
  const named = matchingCandidates(
    suggestions.map((value) => ({ value })),
    prefix,
    typed,
  )
  return named.length === 0 ? files : named
}

const nouns = (tree: Tree): readonly Candidate[] =>
  Object.entries(tree).flatMap(([name, { summary, alias }]) =>
    [name, ...(alias === undefined ? [] : [alias])].map((value) => ({ value, description: summary })),
  )

async function verbs({ verbs: all = {} }: Noun): Promise<readonly Candidate[]> {
  return Promise.all(
    Object.entries(all).map(async ([value, load]) => ({
      value,
      description: (await load()).command.summary,
    })),
  )
}

const flagCandidates = ({ typed, help }: TypedFlag): readonly Candidate[] => [
  { value: typed, description: help },
]

/** The candidates that start with what is typed, without duplicates and without control characters. */
function matchingCandidates(all: readonly Candidate[], prefix: string, typed: string): readonly Candidate[] {
  const seen = new Set<string>()
  return all
    .filter(({ value }) => {
      const isNew = !seen.has(value)
      seen.add(value)
      return isNew && value !== '' && value.startsWith(typed) && isPrintable(value)
    })
    .slice(0, MAX_CANDIDATES)
    .map(({ value, description }) => ({ value: `${prefix}${value}`, description: description }))
}

const isPrintable = (value: string): boolean =>
  value.length <= MAX_LENGTH && !/[\t\r\n]/.test(value) && !hasUnsafeCharacters(value)

/** What belongs at the cursor. */
type Place =
  | { readonly kind: 'noun' }
  | { readonly kind: 'verb'; readonly noun: Noun }
  | { readonly kind: 'flag'; readonly flags: readonly TypedFlag[] }
  /** `prefix` is the part of the same word before the value: `--output=`, `SETTLED,`. */
  | {
      readonly kind: 'value'
      readonly flag: TypedFlag
      readonly prefix: string
      readonly typed: string
    }
  | { readonly kind: 'argument'; readonly argument: ArgumentSpec }
  | { readonly kind: 'nothing' }

interface CursorContext {
  readonly place: Place
  /** The values of the flags before the cursor, by name without dashes. */
  readonly given: ReadonlyMap<string, string>
}

/** Determines what `current` can be, given the words before it. Loads only the named command. */
async function findPlace(tree: Tree, before: readonly string[], current: string): Promise<CursorContext> {
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
  const at = (place: Place): CursorContext => ({ place, given })
  if (pending !== undefined) return at(valuePlace(pending, '', current))
  if (current.startsWith('-') && !isPastFlags) {
    const [typedFlag, inline] = splitOnce(current, '=')
    const flag = flags.find(({ typed, kind }) => typed === typedFlag && takesValue(kind))
    if (inline !== undefined)
      return at(flag === undefined ? { kind: 'nothing' } : valuePlace(flag, `${typedFlag}=`, inline))
    return at({
      kind: 'flag',
      flags: flags.filter(({ name, kind }) => isRepeatable(kind) || !given.has(name)),
    })
  }
  if (nounAt === undefined) return at({ kind: 'noun' })
  if (noun === undefined) return at({ kind: 'nothing' })
  if (spec === undefined) return at(verbAt === undefined ? { kind: 'verb', noun } : { kind: 'nothing' })
  const commandIsAt = noun.load === undefined ? [nounAt, verbAt] : [nounAt]
  const argument = spec.args?.[positions.filter((position) => !commandIsAt.includes(position)).length]
  return at(argument === undefined ? { kind: 'nothing' } : { kind: 'argument', argument })
}

function valuePlace(flag: TypedFlag, typedFlag: string, typed: string): Place {
  const comma = flag.value?.endsWith(',…') === true ? typed.lastIndexOf(',') + 1 : 0
  return { kind: 'value', flag, prefix: `${typedFlag}${typed.slice(0, comma)}`, typed: typed.slice(comma) }
}

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

/** The candidates for a value: valid or known values, or names found on this machine. */
async function valuesFor(
  { choices, suggestions, from }: ValueSpec,
  kind: string | undefined,
  request: CompletionRequest,
): Promise<readonly Candidate[] | 'files' | 'folders'> {
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

/** Only the records of the selected profile: an ID of another account is not valid in this one. */
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

/** More would slow down Tab completion. */
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
