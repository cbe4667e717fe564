import { UsageError } from '../errors.ts'
import type { CallOperation } from '../http/call.ts'
import { formatMoney } from '../money/format.ts'
import type { Draft } from './draft.ts'
import type { Invocation } from './invocation.ts'

export interface Planned {
  readonly draft: Draft
  readonly amountMinor: number | undefined
  readonly currencyCode: string | undefined
}

/** On a live profile, whatever moves money or destroys needs a yes: from a person, or from --yes. */
export async function confirmOrRefuse(
  invocation: Invocation,
  operation: CallOperation,
  planned: Planned,
): Promise<void> {
  if (operation.risk !== 'money' && operation.risk !== 'destructive') return
  const account = await invocation.account()
  if (account.mode.value !== 'live' || invocation.settings.saysYes) return
  const name = account.profile?.value ?? account.baseUrl.value
  if (!invocation.isInteractive) {
    throw new UsageError(
      `This moves real money on the live profile "${name}" and needs --yes when nobody can be asked`,
      {
        code: 'confirmation_needed',
        operation: operation.id,
        outcome: 'none',
        hint: 'Nothing was sent. Add --yes when you are sure, or try it with --sandbox or --dry-run.',
      },
    )
  }
  const sentence = `${sentenceFor(invocation, operation, planned)} on LIVE profile ${name}?`
  const prompts = await invocation.context.prompts()
  if (await prompts.confirm({ sentence: invocation.hideSecrets(sentence) })) return
  throw new UsageError('Not confirmed: nothing was sent', {
    code: 'confirmation_refused',
    operation: operation.id,
    outcome: 'none',
  })
}

function sentenceFor({ spec }: Invocation, operation: CallOperation, planned: Planned): string {
  const { amountMinor, currencyCode, draft } = planned
  const amount = amountMinor === undefined ? undefined : formatMoney(amountMinor, currencyCode)
  return spec.confirm?.({ args: draft.params, amount }) ?? `Send ${operation.method} ${operation.path}`
}
