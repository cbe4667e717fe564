import type { FlagSpec } from '../../cli/command/flags.ts'

/** The fields of a profile as flags of `add` and `set`. */
export const PROFILE_FLAGS = {
  'base-url': { kind: 'text', value: 'URL', help: 'Service address: https, or http on loopback' },
  test: { kind: 'switch', help: "Moves no real money: commands don't ask for confirmation" },
  live: { kind: 'switch', help: 'Moves real money: commands that do so ask first' },
  'api-key-stdin': { kind: 'switch', help: 'Read the API key from stdin' },
  'api-key-file': { kind: 'text', value: 'FILE', from: 'file', help: 'Read the API key from a file' },
  'api-version': { kind: 'text', value: 'VERSION', help: 'X-Api-Version to send' },
  'read-only': { kind: 'either', help: 'Allow only reads' },
  operations: {
    kind: 'text',
    value: 'ID,…',
    from: 'write-operation',
    help: 'Allow only these writes, such as payment.capture,payment.refund',
  },
  'max-amount': {
    kind: 'texts',
    value: 'AMOUNT',
    help: "Maximum amount of one call, such as '500 EUR'; repeatable, once per currency",
  },
} as const satisfies Record<string, FlagSpec>
