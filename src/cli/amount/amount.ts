import type { Answer, CallOperation } from '../../client/calls/call.ts'
import { PayError, UsageError, isInterruption } from '../../errors.ts'
import { parseAmount } from '../../money/parse.ts'
import type { Draft } from '../command/draft.ts'
import { findOtherName } from '../command/other-name.ts'
import type { CommandRun } from '../command/spec.ts'
import { accountFlagsOf } from '../command/flag-words.ts'
import { setField } from '../parse/field-path.ts'
import { figuresOf, createPaymentReader } from './figures.ts'
import type { Figures, PaymentReader } from './figures.ts'
import { enforceLimits } from './limits.ts'
import { fieldAt } from '../../json/fields.ts'

/** A draft with its amount settled: checked against the payment and the profile's limits. */
export interface SettledAmount {
  readonly draft: Draft
  /** Checks that a dry run leaves out because they need the service. */
  readonly unchecked: readonly string[]
  /** The amount and currency that the final draft moves. */
  readonly figuresOf: (draft: Draft) => Figures
  /** The payment that was read; undefined if none was. */
  readonly payment: () => Answer | undefined
  /** Shows a person what the amount does to the payment, before they confirm. */
  readonly showPlan: (draft: Draft) => Promise<void>
}

/**
 * Settles the amount of a call: reads the payment where the currency or a preview needs it, asks for a missing amount on
 * a terminal, and enforces the limits of the profile.
 * @throws {PayError} exit 2 for another currency, 12 for an amount beyond a limit
 */
export async function settleAmount(
  run: CommandRun,
  operation: CallOperation,
  draft: Draft,
): Promise<SettledAmount> {
  const reader = createPaymentReader(run, draft)
  const { draft: settled, unchecked } = await settleWithPayment(run, operation, draft, reader)
  const uncheckedLimits = await enforceLimits(run, operation, settled, reader)
  return {
    draft: settled,
    unchecked: [...unchecked, ...uncheckedLimits],
    figuresOf: (finalDraft) => figuresOf(operation, finalDraft, reader.cached()),
    payment: reader.answer,
    showPlan: async (finalDraft) => {
      const { showPreview } = await import('./ask-amount.ts')
      await showPreview(run, finalDraft, reader, 'plan')
    },
  }
}

async function settleWithPayment(
  run: CommandRun,
  operation: CallOperation,
  draft: Draft,
  reader: PaymentReader,
): Promise<Pick<SettledAmount, 'draft' | 'unchecked'>> {
  const { spec, settings } = run
  if (spec.money === undefined) return { draft, unchecked: [] }
  const typedCurrency = draft.money?.currencyCode
  if (settings.mode !== 'send') {
    if (draft.money?.text !== undefined && fieldAt(draft.body, ['amount']) === undefined)
      parseAmount(draft.money.text, { what: '--amount', allowZero: false })
    return {
      draft,
      unchecked: typedCurrency === undefined ? [] : [`that the payment is in ${typedCurrency}`],
    }
  }
  if (typedCurrency !== undefined) await refuseOtherCurrency(run, typedCurrency, reader)
  if (!run.isInteractive) return { draft, unchecked: [] }
  const { askAmount } = await import('./ask-amount.ts')
  const { amountMinor, isAsked } = await askAmount(run, operation, draft, reader)
  const settled = amountMinor === undefined ? draft : withAmount(draft, amountMinor)
  const completed = isAsked ? await spec.askMore?.(run, settled, reader.cached()) : undefined
  return { draft: completed ?? settled, unchecked: [] }
}

const withAmount = (draft: Draft, amountMinor: number): Draft => ({
  ...draft,
  body: setField(draft.body, ['amount'], amountMinor, '--amount'),
})

const UNCHECKED_HINT = 'A bare integer in minor units, without a currency, is sent unchecked.'

/** Checks a typed currency against the payment's. */
async function refuseOtherCurrency(run: CommandRun, typed: string, reader: PaymentReader): Promise<void> {
  let payment: unknown
  try {
    payment = await reader.read()
  } catch (error) {
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    const isMissing = error.code === 'payment_not_found'
    // The error leads to the payment that is meant.
    if (isMissing && (await findOtherName(run)) !== undefined) throw error
    throw new UsageError(
      isMissing
        ? `${error.message}, so ${typed} could not be checked`
        : `The payment's currency could not be read, so ${typed} could not be checked (${error.message})`,
      {
        ...error.details,
        code: 'currency_unchecked',
        outcome: 'none',
        hint: isMissing ? 'Check the ID and the account.' : UNCHECKED_HINT,
        ...(isMissing ? { next: [`pay${accountFlagsOf(run)} payment list`] } : {}),
        cause: error,
      },
    )
  }
  const currencyCode = fieldAt(payment, ['currencyCode'])
  if (currencyCode === typed) return
  if (typeof currencyCode !== 'string')
    throw new UsageError(`The payment has no readable currency, so ${typed} could not be checked`, {
      code: 'currency_unchecked',
      hint: UNCHECKED_HINT,
    })
  throw new UsageError(`The payment is in ${currencyCode}, not in ${typed}`, {
    code: 'currency_conflict',
    hint: `Check that it is the right payment, and give the amount in ${currencyCode}.`,
  })
}
