import { checkLimits } from '../config/limits.ts'
import { EXIT, LimitError, PayError, UsageError } from '../errors.ts'
import type { Answer, CallOperation } from '../http/call.ts'
import { stringifyJson } from '../json/json.ts'
import { formatMoney } from '../money/format.ts'
import { parseAmount } from '../money/parse.ts'
import { confirmOrRefuse } from './confirm.ts'
import { startDraft } from './draft.ts'
import type { Draft } from './draft.ts'
import { showRequest } from './dry-run.ts'
import { fieldAt, isObject, setField } from './field-path.ts'
import { switchFlag } from './input.ts'
import type { Invocation } from './invocation.ts'
import { completeDraft } from './missing.ts'
import { showRaw } from './result.ts'
import type { Result } from './result.ts'

/** A command that sends one operation: draft, questions, checks, preview, confirmation, call, answer. */
export async function runOperation(invocation: Invocation): Promise<Result> {
  const { spec } = invocation
  const { operation } = spec
  if (operation === undefined)
    throw new Error(`pay ${spec.path.join(' ')} neither runs nor names an operation`)
  await invocation.account()
  const draft = await completeDraft(invocation, await startDraft(invocation))
  return operate(invocation, operation, draft)
}

/** Everything between a complete draft and the result; `pay api` comes in here. */
export async function operate(
  invocation: Invocation,
  operation: CallOperation,
  drafted: Draft,
): Promise<Result> {
  refuseForeignKey(invocation, operation)
  const reader = paymentReader(invocation, drafted)
  const settled = await settleMoney(invocation, drafted, reader)
  const unchecked = [
    ...settled.unchecked,
    ...(await keepLimits(invocation, operation, settled.draft, reader)),
  ]
  const { draft } = settled
  const body = bodyOf(operation, draft)
  if (invocation.settings.mode !== 'send')
    return showRequest(invocation, operation, { ...draft, body }, unchecked)
  const figures = await figuresOf(draft, reader)
  await preview(invocation, draft, reader)
  await confirmOrRefuse(invocation, operation, { draft, ...figures })
  const answer = await invocation.call({
    operation,
    params: draft.params,
    query: draft.query,
    ...(body === undefined ? {} : { body }),
    idempotencyKey: invocation.settings.idempotencyKey,
    amount: figures.amountMinor,
    currencyCode: figures.currencyCode,
  })
  return present(invocation, answer)
}

async function present(invocation: Invocation, answer: Answer): Promise<Result> {
  if (answer.note !== undefined) await invocation.note(answer.note)
  if (answer.json === undefined && answer.text !== '')
    await invocation.warn('Warning: The answer is not JSON; it is shown as it came.')
  const result = (invocation.spec.present ?? showRaw)(answer)
  if (result.warning !== undefined && answer.json !== undefined)
    await invocation.warn(`Warning: ${result.warning}`)
  for (const line of invocation.spec.afterwards?.(answer.json) ?? []) await invocation.note(line)
  return { ...result, exitCode: answer.exitCode }
}

function bodyOf(
  operation: CallOperation,
  draft: Draft,
): { readonly value: unknown; readonly text: string } | undefined {
  const value =
    draft.body ?? (operation.request === undefined || operation.bodyOptional === true ? undefined : {})
  return value === undefined ? undefined : { value, text: stringifyJson(value) }
}

/** A payment that is read at most once before the call. */
interface PaymentReader {
  readonly read: () => Promise<unknown>
  /** What has been read so far. */
  readonly seen: () => unknown
}

function paymentReader(invocation: Invocation, draft: Draft): PaymentReader {
  let read: Promise<unknown> | undefined
  let seen: unknown
  return {
    read: () => (read ??= get()),
    seen: () => seen,
  }
  async function get(): Promise<unknown> {
    const { getPayment } = await import('../api/operations/payment.ts')
    const answer = await invocation.call({ operation: getPayment, params: { id: draft.params['id'] ?? '' } })
    seen = answer.json
    return seen
  }
}

/** The amount in minor units and the check of a written currency; the payment is read where one of them hangs on it. */
async function settleMoney(
  invocation: Invocation,
  draft: Draft,
  reader: PaymentReader,
): Promise<{ readonly draft: Draft; readonly unchecked: readonly string[] }> {
  const { spec, settings } = invocation
  if (spec.money === undefined) return { draft, unchecked: [] }
  const written = draft.money?.currencyCode
  if (settings.mode !== 'send') {
    if (draft.money?.text !== undefined && fieldAt(draft.body, ['amount']) === undefined)
      parseAmount(draft.money.text, { what: '--amount', allowZero: false })
    return { draft, unchecked: written === undefined ? [] : [`that the payment is in ${written}`] }
  }
  if (written !== undefined) await refuseOtherCurrency(written, reader)
  if (!invocation.isInteractive) return { draft, unchecked: [] }
  const payment = await readForPreview(invocation, reader)
  const amountMinor = await interactiveAmount(invocation, draft, payment)
  return {
    draft:
      amountMinor === undefined
        ? draft
        : { ...draft, body: setField(draft.body, ['amount'], amountMinor, '--amount') },
    unchecked: [],
  }
}

async function refuseOtherCurrency(written: string, reader: PaymentReader): Promise<void> {
  let payment: unknown
  try {
    payment = await reader.read()
  } catch (error) {
    if (
      !(error instanceof PayError) ||
      error.exitCode === EXIT.interrupted ||
      error.exitCode === EXIT.terminated
    )
      throw error
    throw new UsageError(
      `The payment's currency could not be read, so ${written} could not be checked: ${error.message}`,
      {
        ...error.details,
        code: 'currency_unchecked',
        outcome: 'none',
        hint: 'Nothing was sent. A bare integer in minor units, without a currency, is sent unchecked.',
        cause: error,
      },
    )
  }
  const currencyCode = fieldAt(payment, ['currencyCode'])
  if (currencyCode === written) return
  const message =
    typeof currencyCode === 'string'
      ? `The payment is in ${currencyCode}, not in ${written}`
      : `The payment does not tell its currency, so ${written} could not be checked`
  throw new UsageError(message, {
    code: typeof currencyCode === 'string' ? 'currency_conflict' : 'currency_unchecked',
    outcome: 'none',
    hint: 'Nothing was sent.',
  })
}

/** A preview does without figures that cannot be read, but a payment that is not there ends it. */
async function readForPreview(invocation: Invocation, reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    const goesOn: readonly number[] = [EXIT.serverFault, EXIT.rateLimited, EXIT.auth, EXIT.rejected]
    if (!(error instanceof PayError) || !goesOn.includes(error.exitCode)) throw error
    await invocation.warn(`The payment could not be read (${error.message}); its figures are unknown.`)
    return undefined
  }
}

/** What is typed, asked for, or the whole of it: on a terminal the figure that is shown is the figure that is sent. */
async function interactiveAmount(
  invocation: Invocation,
  draft: Draft,
  payment: unknown,
): Promise<number | undefined> {
  const { money } = invocation.spec
  const given = fieldAt(draft.body, ['amount'])
  if (money === undefined || given !== undefined) return undefined
  const paid = fieldAt(payment, ['currencyCode'])
  const currencyCode = typeof paid === 'string' ? paid : undefined
  if (draft.money?.text !== undefined)
    return parseAmount(draft.money.text, { what: '--amount', currencyCode, allowZero: false }).amountMinor
  const whole = money.whole(payment)
  if (!money.askAmount || invocation.settings.saysYes) return whole
  const read = (text: string) => {
    const amount = parseAmount(text, { what: 'Amount', currencyCode, allowZero: false })
    if (amount.currencyCode !== undefined && amount.currencyCode !== currencyCode)
      throw new UsageError(
        `The payment is in ${currencyCode ?? 'an unknown currency'}, not in ${amount.currencyCode}`,
      )
    return amount.amountMinor
  }
  const answer = await invocation.ask({
    label: 'Amount',
    hint: whole === undefined ? 'empty: all of it' : `empty: all of it, ${formatMoney(whole, currencyCode)}`,
    check: (text) => {
      if (text.trim() === '') return undefined
      try {
        read(text)
        return undefined
      } catch (error) {
        return error instanceof PayError ? error.message : String(error)
      }
    },
  })
  return answer.trim() === '' ? whole : read(answer)
}

async function keepLimits(
  invocation: Invocation,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
): Promise<readonly string[]> {
  const { limits, profile } = await invocation.account()
  const name = profile?.value ?? ''
  const request = {
    operationId: operation.id === 'api' ? undefined : operation.id,
    risk: operation.risk,
    formatMoney,
  }
  const amount = {
    amountMinor: numberAt(draft.body, 'amount'),
    currencyCode: textAt(draft.body, 'currencyCode') ?? draft.money?.currencyCode,
  }
  if (checkLimits(limits, name, { ...request, amount }) === 'ok') return []
  if (invocation.settings.mode !== 'send') return [`the limits of profile ${name}, which hang on the payment`]
  const payment = draft.params['id'] === undefined ? undefined : await readForLimit(reader)
  checkLimits(limits, name, {
    ...request,
    amount: {
      amountMinor: amount.amountMinor ?? invocation.spec.money?.whole(payment) ?? numberAt(payment, 'amount'),
      currencyCode: textAt(payment, 'currencyCode') ?? amount.currencyCode,
    },
    final: true,
  })
  return []
}

async function readForLimit(reader: PaymentReader): Promise<unknown> {
  try {
    return await reader.read()
  } catch (error) {
    if (
      !(error instanceof PayError) ||
      error.exitCode === EXIT.interrupted ||
      error.exitCode === EXIT.terminated
    )
      throw error
    throw new LimitError(
      `The profile's limits hang on the payment, and it could not be read: ${error.message}`,
      { cause: error },
    )
  }
}

async function preview(invocation: Invocation, draft: Draft, reader: PaymentReader): Promise<void> {
  const { money } = invocation.spec
  if (money === undefined || !invocation.isInteractive) return
  const account = await invocation.account()
  const text = money.preview(reader.seen(), {
    profileName: account.profile?.value ?? account.baseUrl.value,
    mode: account.mode.value,
    amountMinor: numberAt(draft.body, 'amount'),
    final: switchFlag(invocation.input, 'final')
      ? true
      : invocation.input.flags['final'] === false
        ? false
        : undefined,
    paint: await invocation.paint('stderr'),
    width: invocation.context.stderr.columns,
  })
  await invocation.warn(text.replace(/\n$/, ''))
}

async function figuresOf(draft: Draft, reader: PaymentReader) {
  return {
    amountMinor: numberAt(draft.body, 'amount'),
    currencyCode:
      textAt(draft.body, 'currencyCode') ??
      draft.money?.currencyCode ??
      textAt(reader.seen(), 'currencyCode'),
  }
}

function refuseForeignKey(invocation: Invocation, operation: CallOperation): void {
  if (invocation.settings.idempotencyKey === undefined || operation.idempotencyKey) return
  throw new UsageError(`${operation.id} takes no idempotency key`, {
    code: 'bad_value',
    hint: 'Leave --idempotency-key out',
  })
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === 'number' ? found : undefined
}

function textAt(value: unknown, key: string): string | undefined {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === 'string' ? found : undefined
}
