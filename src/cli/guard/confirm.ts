import { DuplicateError, UsageError } from '../../errors.ts'
import type { CallOperation } from '../../client/calls/call.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import { formatMoney } from '../../money/format.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import type { Draft } from '../command/draft.ts'
import type { Invocation } from '../command/invocation.ts'
import type { CommandRun } from '../command/spec.ts'

interface PlannedCall {
  readonly draft: Draft
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** An equal write of the last minutes. The confirmation mentions it, so that there is only one question. */
  readonly duplicate?: DuplicateError | undefined
}

/**
 * On a live profile, and at the desk on every profile, a call that moves money or is destructive needs a yes from a person or from --yes. So does any other
 * write of `pay api`, because no command describes its effect. Returns whether a person was asked.
 */
export async function confirmOrRefuse(
  invocation: CommandRun,
  operation: CallOperation,
  planned: PlannedCall,
): Promise<boolean> {
  const { duplicate } = planned
  const isRawCall = invocation.spec.operation === undefined
  const isHarmless = operation.risk === 'read' || (operation.risk === 'write' && !isRawCall)
  const account = await invocation.account()
  const isLive = account.mode.value === 'live'
  const isAsked = isLive || invocation.context.isDesk === true
  if (isHarmless || !isAsked || invocation.settings.assumesYes) {
    if (duplicate === undefined) return false
    await confirmRepeat(invocation, duplicate, undefined)
    return true
  }
  const name = account.profile?.value ?? account.baseUrl.value
  if (!invocation.isInteractive) {
    throw new UsageError(
      `This ${RISK_TEXTS[operation.risk]} on the live profile "${name}" and needs --yes when pay cannot ask`,
      {
        code: 'confirmation_needed',
        operation: operation.id,
        hint: 'Add --yes if you are sure, or try it with --sandbox or --dry-run.',
      },
    )
  }
  if (isLive && invocation.spec.money === undefined && invocation.spec.reviewTarget === undefined)
    await showBanner(invocation, name, describeLedger(account.ledger))
  const action = `${sentenceFor(invocation, operation, planned)} on ${isLive ? 'LIVE' : 'test'} profile ${name}`
  if (duplicate !== undefined) {
    await confirmRepeat(invocation, duplicate, action)
    return true
  }
  const sentence = `${action}?`
  const prompts = await invocation.prompts()
  if (await prompts.confirm({ sentence: invocation.hideSecrets(sentence) })) return true
  throw new UsageError('Not confirmed: nothing was sent', {
    code: 'confirmation_refused',
    operation: operation.id,
  })
}

/**
 * Asks whether to repeat an equal write of the last minutes. `action` is the sentence to confirm with the same question.
 * @throws {PayError} exit 6 if the answer is no
 */
export async function confirmRepeat(
  invocation: CommandRun,
  duplicate: DuplicateError,
  action: string | undefined,
): Promise<void> {
  const prompts = await invocation.prompts()
  const statement = `The same write was ${maskCardNumbers(invocation.hideSecrets(duplicate.earlierWrite))}.`
  const question = action === undefined ? 'Do it again?' : `${invocation.hideSecrets(action)} again?`
  if (await prompts.confirm({ sentence: `${statement} ${question}` })) return
  // At the desk, no flag repeats it.
  throw invocation.context.isDesk === true
    ? new DuplicateError(duplicate.earlierWrite, { ...duplicate.details, hint: undefined })
    : duplicate
}

/** Shows the live profile and the ledger, unless a preview has already shown them. */
export async function showBanner(invocation: Invocation, name: string, ledger: string): Promise<void> {
  const { renderLiveModeWarning } = await import('../../output/live-mode-warning.ts')
  const paint = await invocation.paint('stderr')
  await invocation.warn(
    `${renderLiveModeWarning(name, { paint, width: invocation.context.stderr.columns })}\nLedger: ${ledger}`,
    'ids',
  )
}

const RISK_TEXTS = {
  money: 'moves real money',
  destructive: 'cannot be undone',
  write: 'changes something',
} as const

function sentenceFor({ spec }: CommandRun, operation: CallOperation, planned: PlannedCall): string {
  const { amountMinor, currencyCode, draft } = planned
  const amount = amountMinor === undefined ? undefined : formatMoney(amountMinor, currencyCode)
  const path = maskCardNumbers(operation.path).replaceAll(
    /\{(\w+)\}/g,
    (all, key: string) => draft.params[key] ?? all,
  )
  return (
    spec.confirm?.({ args: draft.params, body: draft.body, amount }) ??
    `Send ${operation.method} ${path}${amount === undefined ? '' : ` (${amount})`}`
  )
}
