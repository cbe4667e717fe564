import { UsageError } from '../../errors.ts'
import { needsCurrency, parseAmount, refuseUnknownCurrency } from '../../money/parse.ts'
import { inKnownCase } from '../parse/choices.ts'
import { readData, parseDocument } from './data.ts'
import { fieldAt, mergeDeep, parseFieldPath, setField } from './field-path.ts'
import { withFixed } from './fixed-fields.ts'
import { parseCount } from '../parse/count.ts'
import { nameIn, parseMoment, parsePairs } from '../parse/flag-values.ts'
import { splitOnce } from '../parse/globals.ts'
import { listFlag, switchFlag, textFlag } from '../command/input.ts'
import { takesBody, labelOf } from '../parse/command-flags.ts'
import type { FlagValue } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'
import { parseParts, partsNeedCurrency } from './object-flags.ts'
import { readSecret } from './read-secret.ts'
import type { FlagSpec, Parts } from '../command/flags.ts'
import { isRecord } from '../../is-record.ts'

/** A request in the making. */
export interface Draft {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** undefined while nothing at all is given. */
  readonly body: unknown
  /** An amount whose currency only the payment itself can tell: a bare decimal, or one that is written and to be checked. */
  readonly money: MoneyInput | undefined
  /** Parameters that nobody knows until it is sent, and how they are found then. Only where nothing is sent. */
  readonly unfound?: Readonly<Record<string, string>>
}

export interface MoneyInput {
  readonly text: string | undefined
  /** The currency that was written, to be checked against the payment. */
  readonly currencyCode: string | undefined
}

/** Arguments, then `--data`, `--set` and the command's own flags, later ones over earlier ones, merged deeply. */
export async function startDraft(invocation: CommandRun): Promise<Draft> {
  const { spec, input } = invocation
  refuseTwoReadersOfStdin(invocation)
  const params: Record<string, string> = {}
  for (const argument of spec.args ?? []) {
    const typed = input.args[argument.name]
    if (typed === undefined) continue
    const value =
      argument.secret === true && typed === '-'
        ? await readSecret(invocation, { what: argument.name, label: argument.ask ?? argument.name })
        : typed
    if (argument.secret === true) invocation.keepSecret(value)
    if (argument.param !== undefined) params[argument.param] = value
  }
  let draft: Draft = { params, query: {}, body: undefined, money: undefined }
  if (takesBody(spec)) draft = { ...draft, body: await bodyOf(invocation) }
  const given = Object.entries(spec.flags ?? {}).flatMap(([name, flag]) => {
    const value = input.flags[name]
    return value === undefined ? [] : [{ name, flag, value, turn: turnOf(flag, value) }]
  })
  for (const { name, flag, value } of given.toSorted((one, other) => one.turn - other.turn))
    draft = await applyFlag(invocation, draft, name, flag, value)
  const reason = invocation.settings.reason
  if (reason !== undefined && spec.flags?.['reason']?.field !== undefined)
    draft = { ...draft, body: setField(draft.body, ['reason'], reason, '--reason') }
  return spec.fixed === undefined ? draft : { ...draft, body: withFixed(spec, draft.body, spec.fixed) }
}

/** What an amount means may hang on the currency, which another amount may be written with: bare decimals come last. */
function turnOf({ kind, parts = {} }: FlagSpec, value: FlagValue): number {
  const texts = typeof value === 'object' ? value : typeof value === 'string' ? [value] : []
  const isAmount = kind === 'amount'
  if (!isAmount && !Object.values(parts).includes('amount')) return 0
  const isBare = (text: string) => (isAmount ? needsCurrency(text) : partsNeedCurrency(text, parts))
  return texts.some(isBare) ? 2 : 1
}

/** Tokens of a body that was given as JSON are as secret as those of flags. */
function keepTokensOf(invocation: CommandRun, value: unknown): void {
  const entries = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : []
  for (const [name, field] of entries) {
    if (typeof field === 'string' && /token$/i.test(String(name))) invocation.keepSecret(field)
    else keepTokensOf(invocation, field)
  }
}

async function bodyOf(invocation: CommandRun): Promise<unknown> {
  const data = textFlag(invocation.input, 'data')
  const form = invocation.input.flags['validate'] === false ? 'as-written' : 'by-value'
  let body: unknown = data === undefined ? undefined : await readData(invocation.context, data, form)
  for (const text of listFlag(invocation.input, 'set')) {
    const [pathText, value] = splitOnce(text, '=')
    // The end of a token may be signs of equality.
    if (value === undefined || /token:./i.test(pathText)) {
      throw new UsageError(`--set takes PATH=VALUE or PATH:=JSON, not "${nameIn(text)}"`, {
        code: 'bad_value',
      })
    }
    const isJson = pathText.endsWith(':')
    const path = parseFieldPath(isJson ? pathText.slice(0, -1) : pathText, '--set')
    body = setField(body, path, isJson ? parseDocument(value, `--set ${pathText}=`, form) : value, '--set')
  }
  keepTokensOf(invocation, body)
  return body
}

/** One flag's text, checked and put in its place. Also used for answers to questions. */
export async function applyFlag(
  invocation: CommandRun,
  draft: Draft,
  name: string,
  flag: FlagSpec,
  given: FlagValue,
): Promise<Draft> {
  const what = `--${name}`
  const text =
    typeof given === 'string' && flag.secret === true && given === '-'
      ? await readSecret(invocation, { what, label: flag.ask ?? labelOf(name) })
      : given
  if (typeof text === 'string' && flag.secret === true) invocation.keepSecret(text)
  if (flag.kind === 'amount' && typeof text === 'string')
    return applyAmount(invocation, draft, what, flag, text)
  if (flag.kind === 'currency' && flag.field === undefined && typeof text === 'string') {
    refuseUnknownCurrency(text, what)
    return { ...draft, money: { text: draft.money?.text, currencyCode: text } }
  }
  if (flag.parts !== undefined && typeof text !== 'boolean')
    return applyParts(draft, what, { ...flag, parts: flag.parts }, text)
  if (flag.kind === 'unset' && typeof text === 'object') {
    return {
      ...draft,
      body: text.reduce<unknown>(
        (body, path) => setField(body, parseFieldPath(path, what), null, what),
        draft.body,
      ),
    }
  }
  const value = valueOf(flag, what, text)
  if (flag.query !== undefined) return { ...draft, query: { ...draft.query, [flag.query]: String(value) } }
  if (flag.field === undefined) return draft
  const path = parseFieldPath(flag.field, what)
  const before = fieldAt(draft.body, path)
  return { ...draft, body: setField(draft.body, path, mergeDeep(before, value), what) }
}

function valueOf(flag: FlagSpec, what: string, given: FlagValue): unknown {
  if (flag.kind === 'pairs' && typeof given === 'object') return parsePairs(given, what)
  if (typeof given !== 'string') return given
  switch (flag.kind) {
    case 'count':
      return parseCount(given, what)
    case 'datetime':
      return parseMoment(given, what)
    default:
      if (given === '') throw new UsageError(`${what} is empty`, { code: 'bad_value' })
      return inKnownCase(given, flag.choices ?? flag.known ?? [])
  }
}

/** An object, or a list of them. Amounts in it are read as the request's own amount is. */
function applyParts(
  draft: Draft,
  what: string,
  { field = '', parts }: FlagSpec & { readonly parts: Parts },
  given: string | readonly string[],
): Draft {
  let currencyCode = writtenCurrency(draft.body)
  const read = (text: string): unknown => {
    const one = parseParts(text, { what, parts, currencyCode })
    currencyCode = one.currencyCode
    return one.value
  }
  const value = typeof given === 'string' ? read(given) : given.map(read)
  const path = parseFieldPath(field, what)
  const body = setField(draft.body, path, mergeDeep(fieldAt(draft.body, path), value), what)
  return {
    ...draft,
    body: currencyCode === undefined ? body : setField(body, ['currencyCode'], currencyCode, what),
  }
}

function writtenCurrency(body: unknown): string | undefined {
  const known = fieldAt(body, ['currencyCode'])
  return typeof known === 'string' ? known : undefined
}

/** Where the request has a currencyCode of its own, the amount and it are settled here; else the payment has the word. */
function applyAmount(
  invocation: CommandRun,
  draft: Draft,
  what: string,
  flag: FlagSpec,
  text: string,
): Draft {
  const { spec } = invocation
  if (spec.money !== undefined) {
    const money = { text, currencyCode: draft.money?.currencyCode }
    const needsPayment = money.currencyCode === undefined && needsCurrency(text)
    if (needsPayment && !invocation.isInteractive) parseAmount(text, { what, allowZero: false })
    // The amount of --data gives way at once: a figure that nobody asked for must not be sent.
    if (needsPayment) return { ...draft, money, body: withoutAmount(draft.body) }
    const amount = parseAmount(text, { what, currencyCode: money.currencyCode, allowZero: false })
    return {
      ...draft,
      money: { text, currencyCode: amount.currencyCode ?? money.currencyCode },
      body: setField(draft.body, ['amount'], amount.amountMinor, what),
    }
  }
  const amount = parseAmount(text, { what, currencyCode: writtenCurrency(draft.body), allowZero: true })
  const withAmount = setField(
    draft.body,
    parseFieldPath(flag.field ?? 'amount', what),
    amount.amountMinor,
    what,
  )
  return {
    ...draft,
    body:
      amount.currencyCode === undefined
        ? withAmount
        : setField(withAmount, ['currencyCode'], amount.currencyCode, what),
  }
}

function withoutAmount(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { amount: _given, ...rest } = body
  return rest
}

function refuseTwoReadersOfStdin({ spec, input }: CommandRun): void {
  const readers = [
    ...(['-', '@-'].includes(textFlag(input, 'data') ?? '') ? ['--data'] : []),
    ...Object.entries(spec.flags ?? {}).flatMap(([name, flag]) =>
      flag.secret === true && input.flags[name] === '-' ? [`--${name}`] : [],
    ),
    ...(spec.args ?? []).flatMap((argument) =>
      argument.secret === true && input.args[argument.name] === '-' ? [argument.name] : [],
    ),
    ...(switchFlag(input, 'api-key-stdin') ? ['--api-key-stdin'] : []),
  ]
  if (readers.length < 2) return
  throw new UsageError(`${readers.join(' and ')} cannot both be read from stdin`, {
    code: 'two_sources',
    hint: 'Put one of them in a file or on the command line',
  })
}
