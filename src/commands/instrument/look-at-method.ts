import type { Draft } from '../../cli/command/draft.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { TargetReview } from '../../cli/command/spec.ts'
import { renderMethodPreview } from '../../views/instrument/preview.ts'
import { knownMethods, learnMethods } from './known-methods.ts'

/** Shows a person which method is deleted, as far as that can be known. */
export async function lookAtMethod(invocation: Invocation, draft: Draft): Promise<TargetReview> {
  const { context, settings } = invocation
  if (!invocation.isInteractive || settings.mode !== 'send') return { draft }
  const customerId = textFlag(invocation.input, 'customer-id')
  if (customerId !== undefined) await learnMethods(invocation, customerId)
  const token = draft.params['paymentMethodToken']
  const method = knownMethods(invocation).find((one) => one.token === token)
  const { profile, mode, baseUrl } = await invocation.account()
  const text = renderMethodPreview(
    { method, profileName: profile?.value ?? baseUrl.value, mode: mode.value },
    { paint: await invocation.paint('stderr'), width: context.stderr.columns, timeZone: undefined },
  )
  await invocation.warn(`${text}\n`, 'ids')
  if (method === undefined)
    await invocation.note(
      customerId === undefined
        ? 'Which method that is cannot be read by its token: --customer-id ID looks it up.'
        : 'It is none of that customer’s methods, or these could not be read.',
    )
  return { draft }
}
