import type { Draft } from '../../cli/command/draft.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { TargetReview } from '../../cli/command/spec.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import { loadedMethods, loadCustomerMethods } from './customer-methods.ts'
import type { Instrument } from '../../api/models/instrument.ts'
import { renderDetails } from '../../output/details.ts'
import { renderLiveModeWarning } from '../../output/live-mode-warning.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatMethodWithExpiry } from '../../views/payment-method.ts'
import { formatField, formatFreeText, formatYesNo } from '../../views/format-fields.ts'

/** Shows the user which method will be deleted, if it can be found among the customer's methods. */
export async function previewDeletion(invocation: Invocation, draft: Draft): Promise<TargetReview> {
  const { context, settings } = invocation
  if (!invocation.isInteractive || settings.mode !== 'send') return { draft }
  const customerId = textFlag(invocation.input, 'customer-id')
  if (customerId !== undefined) await loadCustomerMethods(invocation, customerId)
  const token = draft.params['paymentMethodToken']
  const method = loadedMethods(invocation).find((candidate) => candidate.token === token)
  const { profile, mode, baseUrl, ledger } = await invocation.account()
  const text = renderMethodPreview(
    {
      method,
      profileName: profile?.value ?? baseUrl.value,
      mode: mode.value,
      ledger: describeLedger(ledger),
    },
    { paint: await invocation.paint('stderr'), width: context.stderr.columns, timeZone: undefined },
  )
  await invocation.warn(`${text}\n`, 'ids')
  if (method === undefined)
    await invocation.note(
      customerId === undefined
        ? "A method can't be looked up by its token alone: to see which one it is, add --customer-id ID."
        : "It is not one of this customer's methods, or they could not be listed.",
    )
  return { draft }
}

const UNKNOWN = 'unknown'

interface MethodPreview {
  /** Undefined if unknown: methods can be read only by customer. */
  readonly method: Instrument | undefined
  readonly profileName: string
  readonly mode: 'test' | 'live'
  /** Where the write is recorded. */
  readonly ledger: string
}

/** The preview before a saved method is deleted. */
function renderMethodPreview(
  { method = {}, profileName, mode, ledger }: MethodPreview,
  options: RenderOptions,
): string {
  const { paint, width } = options
  const details = renderDetails(
    { paint, width },
    [
      [
        'Profile',
        `${formatField(profileName)} (${mode === 'live' ? paint('LIVE: real money', 'warn') : 'test'})`,
      ],
      ['Ledger', formatField(ledger)],
      ['Method', formatMethodWithExpiry(method) ?? UNKNOWN],
      ['Default', formatYesNo(method.default) ?? UNKNOWN],
      ['Customer', formatField(method.customerId) ?? UNKNOWN],
      ['Description', formatFreeText(method.description)],
    ],
    [['This deletion', paint("permanent: you can't undo it", 'strong')]],
  )
  return mode === 'live'
    ? `${renderLiveModeWarning(formatField(profileName), options)}\n\n${details}`
    : details
}
