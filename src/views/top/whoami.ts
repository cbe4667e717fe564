import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { limitDetails, formatMode } from '../profile.ts'
import type { ShownLimits } from '../profile.ts'

interface Sourced<T> {
  readonly value: T
  readonly source: string
}

/** The account that a command would use, each value with its source. */
export interface Identity {
  readonly profile: Sourced<string> | undefined
  readonly mode: Sourced<'test' | 'live'>
  readonly baseUrl: Sourced<string>
  /** Masked: at most the last four characters. */
  readonly apiKey: Sourced<string> | undefined
  readonly apiVersion: Sourced<string>
  readonly ledger: Sourced<string>
  readonly limits: ShownLimits
  readonly configFile: string
  readonly stateFolder: string
}

export const whoamiView: View<Identity> = {
  ids: (identity) => (identity.profile === undefined ? [] : [identity.profile.value]),
  csvColumns: ['profile.value', 'mode.value', 'baseUrl.value'],
  render: (identity, { paint, width }) => {
    const from = (sourced: Sourced<string> | undefined, text = sourced?.value): string | undefined =>
      sourced === undefined ? undefined : `${text ?? ''}  ${paint(`(${safeText(sourced.source)})`, 'dim')}`
    return renderDetails(
      { paint, width },
      [
        ['Profile', from(identity.profile) ?? 'none'],
        ['Mode', from(identity.mode, formatMode(identity.mode.value, paint))],
        ['Base URL', from(identity.baseUrl, safeText(identity.baseUrl.value))],
        ['API key', from(identity.apiKey) ?? 'none'],
        ['API version', from(identity.apiVersion)],
        ['Ledger', from(identity.ledger, safeText(identity.ledger.value))],
      ],
      limitDetails(identity.limits),
      [
        ['Profile file', safeText(identity.configFile)],
        ['State folder', safeText(identity.stateFolder)],
      ],
    )
  },
}
