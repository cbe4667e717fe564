import { UsageError } from '../../errors.ts'
import { inCanonicalCase } from '../parse/choices.ts'
import { readData, parseDocument } from './read-data.ts'
import { parseFieldPath, setField } from '../parse/field-path.ts'
import { parseCount } from '../parse/count.ts'
import { assignedName, parsePairs, parseParts, partsNeedCurrency } from '../parse/flag-values.ts'
import { parseMoment } from '../../text/moment.ts'
import { takesBody, labelOf } from '../parse/command-flags.ts'
import { splitOnce } from '../parse/scan-line.ts'
import { listFlag, switchFlag, textFlag } from '../command/input.ts'
import type { FlagValue } from '../command/input.ts'
import type { Draft } from '../command/draft.ts'
import type { CommandRun, CommandSpec } from '../command/spec.ts'
import { needsCurrency, parseAmount, refuseUnknownCurrency } from '../../money/parse.ts'
import { readSecret } from './read-secret.ts'
import type { FlagSpec, Parts } from '../command/flags.ts'
import { isRecord } from '../../json/is-record.ts'
import { fieldAt, mergeDeep, textAt } from '../../json/fields.ts'

/** Builds the draft from arguments, `--data`, `--set` and the command's flags, in this order. Later values are merged over earlier ones. */
export async function startDraft(invocation: CommandRun): Promise<Draft> {
  const { spec, input } = invocation
  refuseTwoStdinReaders(invocation)
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
  if (takesBody(spec)) draft = { ...draft, body: await readBody(invocation) }
  const given = Object.entries(spec.flags ?? {}).flatMap(([name, flag]) => {
    const value = input.flags[name]
    return value === undefined ? [] : [{ name, flag, value, order: applyOrder(flag, value) }]
  })
  for (const { name, flag, value } of given.toSorted((one, other) => one.order - other.order))
    draft = await applyFlag(invocation, draft, name, flag, value)
  const reason = invocation.settings.reason
  if (reason !== undefined && spec.flags?.['reason']?.field !== undefined)
    draft = { ...draft, body: setField(draft.body, ['reason'], reason, '--reason') }
  return spec.fixed === undefined ? draft : { ...draft, body: withFixed(spec, draft.body, spec.fixed) }
}

/** Keeps the tokens of a JSON body secret, like those of flags. */
function keepTokensSecret(invocation: CommandRun, value: unknown): void {
  const entries = Array.isArray(value) ? value.entries() : isRecord(value) ? Object.entries(value) : []
  for (const [name, field] of entries) {
    if (typeof field === 'string' && /token$/i.test(String(name))) invocation.keepSecret(field)
    else keepTokensSecret(invocation, field)
  }
}

async function readBody(invocation: CommandRun): Promise<unknown> {
  const data = textFlag(invocation.input, 'data')
  const form = invocation.input.flags['validate'] === false ? 'as-written' : 'by-value'
  let body: unknown = data === undefined ? undefined : await readData(invocation.context, data, form)
  for (const text of listFlag(invocation.input, 'set')) {
    const [pathText, value] = splitOnce(text, '=')
    // A token may end with equals signs.
    if (value === undefined || /token:./i.test(pathText)) {
      throw new UsageError(`--set takes PATH=VALUE or PATH:=JSON, not "${assignedName(text)}"`, {
        code: 'bad_value',
      })
    }
    const isJson = pathText.endsWith(':')
    const path = parseFieldPath(isJson ? pathText.slice(0, -1) : pathText, '--set')
    body = setField(body, path, isJson ? parseDocument(value, `--set ${pathText}=`, form) : value, '--set')
  }
  keepTokensSecret(invocation, body)
  return body
}

/** Checks the value of a flag, or of an answer to a question, and puts it into the draft. */
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
    return applyAmount(invocation, draft, { what, flag, text })
  if (flag.kind === 'currency' && flag.field === undefined && typeof text === 'string')
    return applyPaymentCurrency(draft, what, text)
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

/**
 * Applies a typed amount to the draft. If the request has a `currencyCode` field, sets amount and currency; otherwise the payment
 * has the currency, and `settleAmount` checks it.
 */
function applyAmount(
  run: CommandRun,
  draft: Draft,
  { what, flag, text }: { readonly what: string; readonly flag: FlagSpec; readonly text: string },
): Draft {
  const isOfPayment = run.spec.money !== undefined
  const currencyCode = isOfPayment ? draft.money?.currencyCode : textAt(draft.body, 'currencyCode')
  // On a terminal, the payment is read anyway, and its currency completes a decimal.
  const waits = isOfPayment && run.isInteractive && run.settings.mode === 'send'
  if (waits && currencyCode === undefined && needsCurrency(text))
    // Drop an amount from --data at once: --amount replaces it, and its own figure comes later.
    return { ...draft, money: { decimal: text, currencyCode }, body: withoutAmount(draft.body) }
  const amount = parseAmount(text, { what, currencyCode, allowZero: !isOfPayment })
  const path = parseFieldPath(flag.field ?? 'amount', what)
  const body = setField(draft.body, path, amount.amountMinor, what)
  return isOfPayment
    ? { ...draft, body, money: { decimal: undefined, currencyCode: amount.currencyCode } }
    : { ...draft, body: withCurrency(body, amount.currencyCode, what) }
}

/** Applies a currency that has no field in the request: it is only checked against the payment's. */
function applyPaymentCurrency(draft: Draft, what: string, currencyCode: string): Draft {
  refuseUnknownCurrency(currencyCode, what)
  return { ...draft, money: { decimal: draft.money?.decimal, currencyCode } }
}

/** Applies an object flag, or a list of them. Their amounts take the currency of the request. */
function applyParts(
  draft: Draft,
  what: string,
  { field = '', parts }: FlagSpec & { readonly parts: Parts },
  typed: string | readonly string[],
): Draft {
  let currencyCode = textAt(draft.body, 'currencyCode')
  const read = (text: string): unknown => {
    const parsed = parseParts(text, { what, parts, currencyCode })
    currencyCode = parsed.currencyCode
    return parsed.value
  }
  const value = typeof typed === 'string' ? read(typed) : typed.map(read)
  const path = parseFieldPath(field, what)
  const body = setField(draft.body, path, mergeDeep(fieldAt(draft.body, path), value), what)
  return { ...draft, body: withCurrency(body, currencyCode, what) }
}

/**
 * When to apply a flag: flags without amounts first (0), then amounts (1), then bare decimals (2), whose currency may be
 * typed with another amount.
 */
function applyOrder({ kind, parts = {} }: FlagSpec, value: FlagValue): 0 | 1 | 2 {
  const isAmount = kind === 'amount'
  if (!isAmount && !Object.values(parts).includes('amount')) return 0
  const texts = typeof value === 'object' ? value : typeof value === 'string' ? [value] : []
  const isBare = (text: string) => (isAmount ? needsCurrency(text) : partsNeedCurrency(text, parts))
  return texts.some(isBare) ? 2 : 1
}

const withCurrency = (body: unknown, currencyCode: string | undefined, what: string): unknown =>
  currencyCode === undefined ? body : setField(body, ['currencyCode'], currencyCode, what)

function withoutAmount(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { amount: _replaced, ...rest } = body
  return rest
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
      return inCanonicalCase(given, flag.choices ?? flag.suggestions ?? [])
  }
}

function refuseTwoStdinReaders({ spec, input }: CommandRun): void {
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
    hint: 'Put one of them in a file or on the command line.',
  })
}

/** Adds the fields that the command always sends. A body with other values was meant for another command. */
function withFixed(spec: CommandSpec, body: unknown, fixed: Readonly<Record<string, unknown>>): unknown {
  for (const [field, value] of Object.entries(fixed)) {
    const given = fieldAt(body, [field])
    if (given === undefined || given === value) continue
    throw new UsageError(
      `pay ${spec.path.join(' ')} sends ${field} ${String(value)}, but the body has another value`,
      {
        code: 'invalid_body',
        operation: spec.operation?.id,
        hint: `Leave out ${field}, or use another command`,
      },
    )
  }
  return mergeDeep(body ?? {}, fixed)
}
