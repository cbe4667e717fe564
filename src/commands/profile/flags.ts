import type { FlagSpec } from '../../cli/command/flags.ts'

/** What a profile is made of, as flags of `add` and `set`. */
export const PROFILE_FLAGS = {
  'base-url': { kind: 'text', value: 'URL', help: 'Service address: https, or http on loopback' },
  test: { kind: 'switch', help: 'No real money: commands do not ask for confirmation' },
  live: { kind: 'switch', help: 'Real money: what moves it asks first' },
  'api-key-stdin': { kind: 'switch', help: 'Read the API key from stdin' },
  'api-key-file': { kind: 'text', value: 'FILE', from: 'file', help: 'Read the API key from a file' },
  'api-version': { kind: 'text', value: 'VERSION', help: 'X-Api-Version to send' },
  'read-only': { kind: 'either', help: 'Refuse everything but reads' },
  operations: {
    kind: 'text',
    value: 'ID,…',
    from: 'write-operation',
    help: 'Allow only these writes, such as payment.capture,payment.refund',
  },
  'max-amount': {
    kind: 'texts',
    value: 'AMOUNT',
    help: "The most one call may move, such as '500 EUR'; repeatable",
  },
} as const satisfies Record<string, FlagSpec>
