/** The settings as the sandbox stores them, and as the form edits them. */

export interface CheckoutMethod {
  readonly type: string
  readonly name: string
}

interface OfferedMethod {
  readonly type: string
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
}

export interface Settings {
  readonly methods: readonly OfferedMethod[]
  readonly threeDSecure: string
  readonly authorizationType: string
  readonly showSurcharges: boolean
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

export const draftOf = (settings: Settings, methods: readonly CheckoutMethod[]): SettingsDraft => ({
  ...settings,
  methods: methods.map(({ type, name }) => {
    const offered = settings.methods.find((method) => method.type === type)
    return {
      type,
      name,
      isOffered: offered !== undefined,
      currencies: offered?.currencies.join(', ') ?? '',
      countries: offered?.countries.join(', ') ?? '',
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
