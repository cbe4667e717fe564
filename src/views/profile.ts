import type { Limits, Profile } from '../client/config/profile.ts'
import type { Room } from '../client/ledger/limits-in-time.ts'
import { formatMoney } from '../money/format.ts'
import { formatSpan } from '../text/duration.ts'
import { pluralize } from '../text/words.ts'
import { renderDetails } from '../output/details.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import type { RenderOptions, View } from '../output/view.ts'

/** A stored profile that is safe to show: at most the last four characters of its key. */
export interface ShownProfile extends Omit<Profile, 'ledgerId' | 'ledgerSchema'> {
  readonly isDefault: boolean
  /** What is left of its limits over time. Only where one profile is shown. */
  readonly room?: readonly Room[]
}

const CSV_COLUMNS = [
  'name',
  'isDefault',
  'mode',
  'modeIsGuess',
  'baseUrl',
  'apiKey',
  'apiVersion',
  'limits.readOnly',
  'limits.operations',
  'limits.maxAmount',
  'limits.maxTotal',
  'limits.maxCount',
  'limits.approvals',
  'limits.signers',
  'apiKeyCommand',
]

export const profileView: View<ShownProfile> = {
  ids: (profile) => [profile.name],
  csvColumns: CSV_COLUMNS,
  render: (profile, { paint, width }) =>
    renderDetails(
      { paint, width },
      [
        ['Profile', `${paint(profile.name, 'strong')}${profile.isDefault ? ' (default)' : ''}`],
        ['Mode', `${formatMode(profile.mode, paint)}${profile.modeIsGuess ? ' (guessed from the URL)' : ''}`],
        ['Base URL', safeText(profile.baseUrl)],
        ['API key', profile.apiKey ?? keyCommandOf(profile) ?? 'none'],
        ['API version', profile.apiVersion],
        ['Ledger', ledgerOf(profile)],
      ],
      limitDetails(profile.limits),
      roomDetails(profile.room ?? []),
    ),
}

const keyCommandOf = ({ apiKeyCommand }: ShownProfile): string | undefined =>
  apiKeyCommand === undefined ? undefined : `printed by: ${safeText(apiKeyCommand)}`

const ledgerOf = ({ ledger, ledgerAccount }: ShownProfile): string | undefined =>
  ledger === undefined
    ? undefined
    : ledger === 'required'
      ? "a team's is required"
      : `${safeText(ledger)}${ledgerAccount === undefined ? '' : `, account ${ledgerAccount}`}`

export const profileListView: View<{ readonly data: readonly ShownProfile[] }> = {
  ids: (profiles) => profiles.data.map((profile) => profile.name),
  itemsKey: 'data',
  csvColumns: CSV_COLUMNS,
  render: ({ data }, options) =>
    data.length === 0
      ? 'No profiles yet. Add one: pay profile add NAME --base-url URL --api-key-stdin. The embedded sandbox needs no profile: --sandbox.'
      : renderTable(
          [
            { title: '', text: (profile) => (profile.isDefault ? '*' : ' ') },
            { title: 'NAME', text: (profile) => profile.name },
            {
              title: 'MODE',
              text: (profile) => (profile.mode === 'live' ? 'LIVE' : 'test'),
              tone: (profile) => (profile.mode === 'live' ? 'bad' : undefined),
            },
            { title: 'BASE URL', text: (profile) => safeText(profile.baseUrl), drop: 2 },
            {
              title: 'KEY',
              text: (profile) =>
                profile.apiKey ?? (profile.apiKeyCommand === undefined ? 'none' : 'by command'),
              drop: 1,
            },
            {
              title: 'LIMITS',
              text: (profile) =>
                limitDetails(profile.limits)
                  .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
                  .join('; '),
              drop: 3,
            },
          ],
          data,
          options,
        ),
}

/** What is left of the limits over time: `1.00 EUR of 10.00 EUR in 24h`. */
export const roomDetails = (room: readonly Room[]): readonly (readonly [string, string])[] =>
  room.map(({ limit, left }) => ['Left', `${left} of ${limit}`] as const)

export const formatMode = (mode: 'test' | 'live', paint: RenderOptions['paint']): string =>
  mode === 'live' ? paint('LIVE: real money', 'bad') : 'test'

export function limitDetails({
  readOnly,
  operations,
  maxAmount,
  maxTotal,
  maxCount,
  approvals,
  signers,
}: Limits): readonly (readonly [string, string])[] {
  return [
    ...(readOnly ? [['Read-only', 'yes'] as const] : []),
    ...(operations === undefined
      ? []
      : [['Operations', operations.length === 0 ? 'reads only' : operations.join(', ')] as const]),
    ...(maxAmount === undefined
      ? []
      : [
          [
            'Max amount',
            Object.entries(maxAmount)
              .map(([currency, minor]) => formatMoney(minor, currency))
              .join(', '),
          ] as const,
        ]),
    ...Object.entries(maxTotal ?? {}).map(
      ([currencyCode, { amount, spanMs }]) =>
        ['Max total', `refunds of ${formatMoney(amount, currencyCode)} in ${formatSpan(spanMs)}`] as const,
    ),
    ...(maxCount === undefined
      ? []
      : [['Max count', `${pluralize(maxCount.count, 'write')} in ${formatSpan(maxCount.spanMs)}`] as const]),
    ...(approvals === undefined
      ? []
      : [['Approvals', `${approvals}, by signers in ${safeText(signers ?? '')}`] as const]),
  ]
}
