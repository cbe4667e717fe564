import { PayError, UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
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
import type { FlagSpec, Parts, ArgumentSpec } from '../command/flags.ts'
import { isRecord } from '../../json/is-record.ts'
import { fieldAt, mergeDeep, textAt } from '../../json/fields.ts'
import { formatMoney } from '../../money/format.ts'
import { checkBody, invalidBody } from './validate.ts'
import type { BodyCheck } from './validate.ts'
import { safeText } from '../../output/safe-text.ts'
import { flagWord, shellWord } from '../../files/shell.ts'

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
  const own = new Set<unknown>()
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
    const field = isJson ? parseDocument(value, `--set ${pathText}=`, form) : value
    body = setField(body, path, field, '--set', own)
  }
  keepTokensSecret(invocation, body)
  return body
}

/** Checks the value of a flag, or of an answer to a question, and puts it into the draft. */
async function applyFlag(
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

/** A flag whose value is missing. */
interface MissingFlag {
  readonly name: string
  readonly flag: FlagSpec
}

/**
 * Asks for required values that are missing, then checks the whole body.
 * @throws {UsageError} one error for all missing values if questions are not allowed, or for an invalid body
 */
export async function completeDraft(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec } = invocation
  const { apiVersion } = await invocation.account()
  refuseArgumentAndFlag(invocation)
  const checked = checkDraft(invocation, draft, apiVersion.value)
  const args = (spec.args ?? []).filter((argument) => isMissing(invocation, argument, draft))
  const flags = missingFlags(invocation, draft, checked)
  if (args.length + flags.length > 0 && !invocation.isInteractive)
    throw missingError(invocation, args, flags, checked)
  const asked = args.length + flags.length === 0 ? draft : await askForMissing(invocation, draft, args, flags)
  const complete = await askForOptional(invocation, asked)
  // Answers have changed the body, so check it again.
  await refuseInvalid(
    invocation,
    complete === draft ? checked : checkDraft(invocation, complete, apiVersion.value),
  )
  return lookUpArguments(invocation, complete)
}

/** Asks for values with a default, and for those that depend on another one, as a currency does on its amount. */
async function askForOptional(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec, isInteractive, settings } = invocation
  if (!isInteractive || settings.mode !== 'send' || settings.assumesYes) return draft
  const flags = Object.entries(spec.flags ?? {}).map(([name, flag]) => ({ name, flag }))
  const open = flags.filter(({ flag }) => flag.defaultsTo !== undefined && !isGiven(draft, flag.field))
  const complete = open.length === 0 ? draft : await askForMissing(invocation, draft, [], open)
  const dependent = flags.filter(
    ({ flag }) => isGiven(complete, flag.askedWith) && !isGiven(complete, flag.field),
  )
  return dependent.length === 0 ? complete : askForMissing(invocation, complete, [], dependent)
}

const isGiven = ({ body }: Draft, field: string | undefined): boolean =>
  field !== undefined && fieldAt(body, parseFieldPath(field, field)) !== undefined

/** Asks for arguments and flags. The questions are loaded only on a terminal. */
async function askForMissing(
  invocation: CommandRun,
  draft: Draft,
  args: readonly ArgumentSpec[],
  flags: readonly MissingFlag[],
): Promise<Draft> {
  const { askForFlag, askValue } = await import('./ask-missing.ts')
  let complete = draft
  for (const argument of args) {
    const answer = await askValue(invocation, argument.name, argument)
    if (argument.param !== undefined)
      complete = { ...complete, params: { ...complete.params, [argument.param]: answer } }
  }
  for (const asked of flags) {
    let answered: Draft | undefined
    while (answered === undefined)
      answered = await applyAnswer(invocation, complete, asked, await askForFlag(invocation, complete, asked))
    complete = answered
  }
  return complete
}

/** Applies the answer for a flag. If it isn't valid, says why and returns undefined. */
async function applyAnswer(
  invocation: CommandRun,
  draft: Draft,
  { name, flag }: MissingFlag,
  typed: string,
): Promise<Draft | undefined> {
  const answer = typed.trim()
  if (answer === '' && flag.defaultsTo !== undefined) return draft
  try {
    return await applyFlag(invocation, draft, name, flag, answer)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    await invocation.warn(error.message)
    return undefined
  }
}

const isMissing = ({ input }: CommandRun, argument: ArgumentSpec, draft: Draft): boolean =>
  argument.optional !== true &&
  argument.param !== undefined &&
  draft.params[argument.param] === undefined &&
  (argument.lookup === undefined || textFlag(input, argument.lookup.flag) === undefined)

function missingFlags(invocation: CommandRun, draft: Draft, { problems }: BodyCheck): readonly MissingFlag[] {
  const flags = Object.entries(invocation.spec.flags ?? {})
  const byQuery = flags.filter(
    ([, flag]) => flag.required === true && flag.query !== undefined && draft.query[flag.query] === undefined,
  )
  const required = problems.flatMap((problem) => (problem.isMissing === true ? [problem.path] : []))
  // If a whole required object is missing, ask for the flags of its fields.
  const isAsked = (field: string) => required.some((path) => path === field || field.startsWith(`${path}.`))
  const byField = flags.filter(
    ([, flag]) =>
      flag.field !== undefined &&
      isAsked(flag.field) &&
      (flag.required === true || required.includes(flag.field)),
  )
  return [...byQuery, ...byField].map(([name, flag]) => ({ name, flag }))
}

function checkDraft(invocation: CommandRun, draft: Draft, apiVersion: string): BodyCheck {
  const { spec } = invocation
  if (spec.operation === undefined || !isValidated(invocation)) return { problems: [], warnings: [] }
  const checked = checkBody(spec.operation, draft.body, apiVersion)
  const pending = pendingFields(invocation, draft)
  const problems = checked.problems.filter(
    (problem) => problem.isMissing !== true || !pending.includes(problem.path),
  )
  return { ...checked, problems }
}

/** Whether the body is checked. Commander stores --no-validate as `validate: false`. */
const isValidated = ({ input }: CommandRun): boolean => input.flags['validate'] !== false

async function refuseInvalid(invocation: CommandRun, checked: BodyCheck): Promise<void> {
  const { spec, warn } = invocation
  if (spec.operation !== undefined && checked.problems.length > 0)
    throw invalidBody(
      spec.operation.id,
      checked,
      hintForCurrency(invocation, checked.problems) ?? hintForText(invocation, checked.problems),
    )
  for (const line of checked.warnings) await warn(`Warning: ${line}`)
}

function missingError(
  invocation: CommandRun,
  args: readonly ArgumentSpec[],
  flags: readonly MissingFlag[],
  { problems }: BodyCheck,
): UsageError {
  const { spec, input } = invocation
  const orderId = textFlag(input, 'order-id')
  const names = [
    ...args.map(({ name, lookup }) => (lookup === undefined ? name : `${name} (or --${lookup.flag})`)),
    ...flags.map(({ name }) => `--${name}`),
  ]
  return new UsageError(`Missing: ${names.join(', ')}`, {
    code: 'missing_input',
    operation: spec.operation?.id,
    validationErrors: problems,
    // `--order-id` is a field of the request; the payment's own order is looked for with `--order`.
    hint:
      orderId !== undefined && args.some(({ lookup }) => lookup?.flag === 'order')
        ? `To find the payment by its order: --order ${shellWord(orderId)}`
        : undefined,
    next: [`pay ${spec.path.join(' ')} --help`],
  })
}

/** Required fields that may still be missing: the amount of a capture, refund or adjustment is settled with the payment, or asked for. */
function pendingFields({ spec, settings, isInteractive }: CommandRun, { money }: Draft): readonly string[] {
  const isAsked = isInteractive && settings.mode === 'send' && spec.money?.asksAmount === 'always'
  return isAsked || money?.decimal !== undefined ? ['amount'] : []
}

/** How to give the currency that an integer of --amount lacks, if that is what is wrong with the request. */
function hintForCurrency(
  { input }: Pick<CommandRun, 'input'>,
  problems: readonly ValidationProblem[],
): string | undefined {
  const typed = textFlag(input, 'amount')
  if (typed === undefined || textFlag(input, 'currency') !== undefined) return undefined
  if (problems.length > 1 || problems[0]?.path !== 'currencyCode') return undefined
  const money = formatMoney(Number(typed), 'EUR')
  return `--amount ${typed} is in minor units and needs a currency: add --currency, such as EUR for ${money}, or write ${flagWord('amount', money)}.`
}

/** How to set a number, a boolean or null, if `--set PATH=VALUE` sent it as text. */
function hintForText(
  { input }: Pick<CommandRun, 'input'>,
  problems: readonly ValidationProblem[],
): string | undefined {
  for (const { path } of problems) {
    const text = listFlag(input, 'set').find((each) => each.startsWith(`${path}=`))
    const value = text?.slice(path.length + 1) ?? ''
    if (/^(?:\d{1,15}|true|false|null)$/.test(value))
      return `--set ${path}=${value} sends text. For a JSON value, use := instead: --set ${path}:=${value}`
  }
  return undefined
}

/** Refuses an argument together with the flag that replaces it, even if both name the same thing. */
function refuseArgumentAndFlag({ spec, input }: CommandRun): void {
  for (const { name, lookup } of spec.args ?? []) {
    if (lookup === undefined || input.args[name] === undefined) continue
    if (textFlag(input, lookup.flag) === undefined) continue
    throw new UsageError(`Give ${name} or --${lookup.flag}, not both`, {
      code: 'two_sources',
      operation: spec.operation?.id,
    })
  }
}

/** Looks up the arguments that are given as flags. When nothing is sent, they stay unresolved and are listed instead. */
async function lookUpArguments(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec, input, settings } = invocation
  let { params, unresolved } = draft
  for (const { param, lookup } of spec.args ?? []) {
    const value = lookup === undefined ? undefined : textFlag(input, lookup.flag)
    if (lookup === undefined || param === undefined || value === undefined) continue
    if (settings.mode === 'send') params = { ...params, [param]: await lookup.find(invocation, value) }
    else unresolved = { ...unresolved, [param]: `which one --${lookup.flag} ${safeText(value)} names` }
  }
  return { ...draft, params, ...(unresolved === undefined ? {} : { unresolved }) }
}
