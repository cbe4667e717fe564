import type { Instrument } from '../../api/models/instrument.ts'
import { renderDetails } from '../../output/details.ts'
import { renderLiveModeWarning } from '../../output/live-mode-warning.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatMethodWithExpiry } from '../payment-method.ts'
import { formatField, formatFreeText, formatYesNo } from '../format-fields.ts'

const UNKNOWN = 'unknown'

export interface MethodPreview {
  /** Undefined if unknown: methods can be read only by customer. */
  readonly method: Instrument | undefined
  readonly profileName: string
  readonly mode: 'test' | 'live'
  /** Where the write is recorded. */
  readonly ledger: string
}

/** The preview before a saved method is deleted. */
export function renderMethodPreview(
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
