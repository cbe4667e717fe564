import type { FlagSpec } from '../../cli/command/flags.ts'

/** The session, named by its client token. Each command adds where the token goes in the request. */
export const CLIENT_TOKEN_FLAG = {
  kind: 'text',
  value: 'TOKEN',
  required: true,
  secret: true,
  ask: 'Client token',
  hint: 'Of the session',
  help: 'The clientToken that session create printed; a payment that waits has it in requiredAction.clientToken. - reads it from stdin',
} as const satisfies FlagSpec
