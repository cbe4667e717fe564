import type { Instrument } from '../../api/models/instrument.ts'
import { renderDetails } from '../../output/details.ts'
import { liveBanner } from '../../output/live-mode-warning.ts'
import type { RenderOptions } from '../../output/view.ts'
import { methodWithExpiry } from '../payment-method.ts'
import { shown, shownWords, yesOrNo } from '../format-fields.ts'

const UNKNOWN = 'unknown'

export interface MethodPreview {
  /** Undefined where nobody could say which it is: only a customer's methods can be read. */
  readonly method: Instrument | undefined
  readonly profileName: string
  readonly mode: 'test' | 'live'
}

/** What a person sees before a saved method is deleted. */
export function renderMethodPreview(
  { method = {}, profileName, mode }: MethodPreview,
  options: RenderOptions,
): string {
  const { paint, width } = options
  const details = renderDetails(
    [
      [
        [
          'Profile',
          `${shown(profileName)} (${mode === 'live' ? paint('LIVE: real customers', 'warn') : 'test'})`,
        ],
        ['Method', methodWithExpiry(method) ?? UNKNOWN],
        ['Default', yesOrNo(method.default) ?? UNKNOWN],
        ['Customer', shown(method.customerId) ?? UNKNOWN],
        ['Description', shownWords(method.description)],
      ],
      [['This delete', paint('for good: it cannot be undone', 'strong')]],
    ],
    paint,
    width,
  )
  return mode === 'live' ? `${liveBanner(shown(profileName), options)}\n\n${details}` : details
}
