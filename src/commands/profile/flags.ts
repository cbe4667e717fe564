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
  approvals: {
    kind: 'count',
    value: 'N',
    help: "Signatures that a batch plan needs besides the planner's; 0 for none",
  },
  signers: {
    kind: 'text',
    value: 'FILE',
    from: 'file',
    help: "The team's allowed_signers file: who may sign with which SSH key",
  },
  ledger: {
    kind: 'text',
    value: 'URL',
    help: "A team's ledger: postgres://USER@HOST/DATABASE; required sends nothing without one, local goes back",
  },
  'ledger-account': { kind: 'text', value: 'ACCOUNT', help: 'The account to join in it' },
} as const satisfies Record<string, FlagSpec>
