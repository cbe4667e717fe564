import { UsageError } from '../../errors.ts'
import type { DuplicateError } from '../../errors.ts'
import type { CallOperation } from '../../calls/call.ts'
import { formatMoney } from '../../money/format.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import type { Draft } from '../request/start-draft.ts'
import type { Invocation } from '../invocation.ts'

export interface Planned {
  readonly draft: Draft
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
  /** An equal write of the last minutes: part of what is asked, never a second question. */
  readonly repeat?: DuplicateError | undefined
}

/**
 * On a live profile, whatever moves money or destroys needs a yes: from a person, or from --yes. So does every other
 * write of a raw call, for which no command vouches.
 */
export async function confirmOrRefuse(
  invocation: Invocation,
  operation: CallOperation,
  planned: Planned,
): Promise<void> {
  const { repeat } = planned
  const isRaw = invocation.spec.operation === undefined
  const isHarmless = operation.risk === 'read' || (operation.risk === 'write' && !isRaw)
  const account = await invocation.account()
  if (isHarmless || account.mode.value !== 'live' || invocation.settings.saysYes) {
    if (repeat !== undefined) await confirmRepeat(invocation, repeat, undefined)
    return
  }
  const name = account.profile?.value ?? account.baseUrl.value
  if (!invocation.isInteractive) {
    throw new UsageError(
      `This ${DEEDS[operation.risk]} on the live profile "${name}" and needs --yes when nobody can be asked`,
      {
        code: 'confirmation_needed',
        operation: operation.id,
        outcome: 'none',
        hint: 'Add --yes when you are sure, or try it with --sandbox or --dry-run.',
      },
    )
  }
  if (invocation.spec.money === undefined && invocation.spec.look === undefined)
    await showBanner(invocation, name)
  const deed = `${sentenceFor(invocation, operation, planned)} on LIVE profile ${name}`
  if (repeat !== undefined) return confirmRepeat(invocation, repeat, deed)
  const sentence = `${deed}?`
  const prompts = await invocation.prompts()
  if (await prompts.confirm({ sentence: invocation.hideSecrets(sentence) })) return
  throw new UsageError('Not confirmed: nothing was sent', {
    code: 'confirmation_refused',
    operation: operation.id,
    outcome: 'none',
  })
}

/**
 * The same was done a few minutes ago. `deed` is the sentence that is to be confirmed too, where there is one.
 * @throws {PayError} exit 6 when the answer is no
 */
export async function confirmRepeat(
  invocation: Invocation,
  repeat: DuplicateError,
  deed: string | undefined,
): Promise<void> {
  const prompts = await invocation.prompts()
  const words = `The same was ${maskCardNumbers(invocation.hideSecrets(repeat.done))}.`
  const question = deed === undefined ? 'Do it once more?' : `${invocation.hideSecrets(deed)} once more?`
  if (!(await prompts.confirm({ sentence: `${words} ${question}` }))) throw repeat
}

/** Where no preview has said it yet. */
async function showBanner(invocation: Invocation, name: string): Promise<void> {
  const { renderLiveModeWarning } = await import('../../output/live-mode-warning.ts')
  const paint = await invocation.paint('stderr')
  await invocation.warn(
    renderLiveModeWarning(name, { paint, width: invocation.context.stderr.columns }),
    'ids',
  )
}

const DEEDS = {
  money: 'moves real money',
  destructive: 'cannot be undone',
  write: 'changes something',
} as const

function sentenceFor({ spec }: Invocation, operation: CallOperation, planned: Planned): string {
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
