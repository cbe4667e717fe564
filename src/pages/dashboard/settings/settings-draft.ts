import { DEFAULT_SETTINGS } from '../../../api/checkout-settings.ts'
import type { CheckoutSettings } from '../../../api/checkout-settings.ts'
import type { Scenarios } from '../../../sandbox/domain/scenarios/scenarios.ts'

/** The settings as the sandbox stores them, and as the form edits them. */

export type CheckoutMethod = Scenarios['checkoutMethods'][number]

/** The settings with their choices as text; the list of each choice has only valid values. */
export type Settings = Omit<CheckoutSettings, 'threeDSecure' | 'authorizationType'> & {
  readonly threeDSecure: string
  readonly authorizationType: string
}

export interface MethodDraft {
  readonly type: string
  readonly name: string
  readonly isOffered: boolean
  /** As typed: `EUR, USD`. */
  readonly currencies: string
  readonly countries: string
}

export type SettingsDraft = Omit<Settings, 'methods'> & { readonly methods: readonly MethodDraft[] }

/** The draft of stored settings. A method that isn't offered gets the sandbox's own lists, in case it is ticked again. */
export const draftOf = (settings: Settings, methods: readonly CheckoutMethod[]): SettingsDraft => ({
  ...settings,
  methods: methods.map(({ type, name }) => {
    const isThis = (method: { readonly type: string }) => method.type === type
    const offered = settings.methods.find(isThis)
    const { currencies = [], countries = [] } = offered ?? DEFAULT_SETTINGS.methods.find(isThis) ?? {}
    return {
      type,
      name,
      isOffered: offered !== undefined,
      currencies: currencies.join(', '),
      countries: countries.join(', '),
    }
  }),
})

export const settingsOf = (draft: SettingsDraft): Settings => ({
  ...draft,
  methods: offeredIn(draft).map(({ type, currencies, countries }) => ({
    type,
    currencies: codesIn(currencies),
    countries: codesIn(countries),
  })),
})

/** Where the service finds a method, for its problems: `$.methods[1]`. */
export const pathOf = (draft: SettingsDraft, type: string): string =>
  `$.methods[${offeredIn(draft).findIndex((method) => method.type === type)}]`

const offeredIn = ({ methods }: SettingsDraft) => methods.filter(({ isOffered }) => isOffered)

const codesIn = (text: string): readonly string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
