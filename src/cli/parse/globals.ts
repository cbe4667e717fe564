import { OUTPUT_FORMATS } from '../../output/output-format.ts'
import type { ValueSpec } from '../command/flags.ts'

/** An option of every command, given before or after the command's name. */
export interface GlobalFlag extends ValueSpec {
  readonly short?: string
  readonly value?: string
  readonly environment?: string
  readonly help: string
  /** Its section on help pages. */
  readonly group: 'account' | 'output' | 'request' | 'safety' | 'other'
}

export const GLOBAL_FLAGS = {
  profile: {
    short: 'p',
    value: 'NAME',
    environment: 'PAY_PROFILE',
    from: 'profile',
    group: 'account',
    help: 'Profile for this call',
  },
  sandbox: { group: 'account', help: 'Use the embedded sandbox (same as --profile sandbox)' },
  'base-url': {
    value: 'URL',
    environment: 'PAY_BASE_URL',
    group: 'account',
    help: 'Service address: https, or http on loopback',
  },
  'api-version': {
    value: 'VERSION',
    environment: 'PAY_API_VERSION',
    group: 'account',
    help: 'X-Api-Version to send (default 2.1)',
  },
  output: {
    short: 'o',
    value: 'FORMAT',
    environment: 'PAY_OUTPUT',
    choices: OUTPUT_FORMATS,
    group: 'output',
    help: 'table, json, ndjson, yaml, csv or id',
  },
  json: { group: 'output', help: 'Same as --output json' },
  query: { value: 'EXPR', group: 'output', help: 'Select from the result with a JMESPath expression' },
  'no-pager': {
    environment: 'PAY_NO_PAGER',
    group: 'output',
    help: 'Print lists that are taller than the terminal at once',
  },
  quiet: { short: 'q', group: 'output', help: 'No notices on stderr' },
  verbose: { short: 'v', group: 'output', help: 'Show each attempt on stderr' },
  debug: { environment: 'PAY_DEBUG', group: 'output', help: 'Also show headers and bodies, redacted' },
  color: {
    value: 'WHEN',
    environment: 'NO_COLOR, FORCE_COLOR',
    choices: ['auto', 'always', 'never'],
    group: 'output',
    help: 'auto, always or never',
  },
  yes: { short: 'y', group: 'safety', help: 'Answer yes to confirmations' },
  'no-input': { environment: 'PAY_NO_INPUT', group: 'safety', help: 'Never ask questions' },
  'dry-run': { short: 'n', group: 'safety', help: 'Show the request, send nothing' },
  curl: { group: 'safety', help: 'Show the request as a curl command, send nothing' },
  reason: {
    value: 'TEXT',
    group: 'request',
    help: 'Reason to record; also sent if the API has a field for it',
  },
  'idempotency-key': { value: 'KEY', group: 'request', help: 'Your own key, for operations that take one' },
  once: {
    value: 'TICKET',
    group: 'safety',
    help: 'Do this once per ticket, on any machine: the key is derived from it',
  },
  again: { group: 'safety', help: 'Repeat a write of the last 10 minutes' },
  receipt: { group: 'output', help: 'Add a short summary to paste into a ticket' },
  timeout: {
    value: 'DURATION',
    environment: 'PAY_TIMEOUT',
    group: 'request',
    help: 'Limit per attempt, such as 10s (default 30s)',
  },
  'max-retries': {
    value: 'N',
    environment: 'PAY_MAX_RETRIES',
    group: 'request',
    help: 'Attempts after the first (default 3)',
  },
  help: { short: 'h', group: 'other', help: 'Show help: -h is short, --help complete' },
  version: { short: 'V', group: 'other', help: 'Show the version' },
} as const satisfies Record<string, GlobalFlag>

/** Flags of commands that send a body. */
export const BODY_FLAGS = {
  data: {
    short: 'd',
    value: 'JSON|@FILE|-',
    group: 'body',
    help: 'The request body: JSON, a file, or stdin',
  },
  set: {
    value: 'PATH=VALUE',
    group: 'body',
    help: 'Set a field to a string, or to JSON with PATH:=JSON; repeatable',
  },
  'no-validate': { group: 'body', help: 'Send the body without checking it' },
} as const

export function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
