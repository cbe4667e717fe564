import type { FlagSpec } from '../../cli/command/flags.ts'

/** Which session; the command says where it is sent. */
export const CLIENT_TOKEN = {
  kind: 'text',
  value: 'TOKEN',
  required: true,
  secret: true,
  ask: 'Client token',
  hint: 'The session: its client token',
  help: 'The session: its client token, or - to read it from stdin',
} as const satisfies FlagSpec
