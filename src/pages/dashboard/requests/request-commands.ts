import { factsOf } from '../../../api/facts.ts'
import { shellWord } from '../../../text/shell-word.ts'
import type { LoggedDetails } from '../../../sandbox/log/logged-request.ts'

/** A request as a command line that repeats it. Keys are in shell variables, never in the command. */

/** Undefined if its body wasn't kept, so it can't be sent again. */
export function asCurl(details: LoggedDetails, origin: string): string | undefined {
  if (!isComplete(details)) return undefined
  const { method, path, key, request } = details
  const { headers, body, query } = request
  const parts = [
    [
      'curl -sS --path-as-is',
      ...(method === 'GET' ? [] : [`-X ${shellWord(method)}`]),
      shellWord(`${origin}${path}${query === undefined ? '' : `?${query}`}`),
    ].join(' '),
    ...(headers['authorization'] === undefined ? [] : ['-H "Authorization: Bearer $CLIENT_TOKEN"']),
    ...(key === undefined ? [] : ['-H "X-API-KEY: $PAY_API_KEY"']),
    ...REPEATED_HEADERS.flatMap(([name, shown]) => {
      const value = headers[name]
      return value === undefined ? [] : [`-H ${shellWord(`${shown}: ${value}`)}`]
    }),
    ...(body === undefined
      ? []
      : [
          // curl would send a form.
          ...(headers['content-type'] === undefined ? ["-H 'Content-Type: application/json'"] : []),
          `--data-raw ${shellWord(body)}`,
        ]),
  ]
  return parts.join(' \\\n  ')
}

const REPEATED_HEADERS = [
  ['x-api-version', 'X-Api-Version'],
  ['x-idempotency-key', 'X-Idempotency-Key'],
  ['content-type', 'Content-Type'],
] as const

const EARLIEST_VERSION = '2021-09-27'
const CURRENT_VERSION = '2.1'

/** Undefined if its body wasn't kept, or if `pay` can't send it because it needs a checkout's client token. */
export function asPay(details: LoggedDetails, origin: string): string | undefined {
  if (!isComplete(details)) return undefined
  const { method, path, operation = '', payment, request } = details
  if (request.headers['authorization'] !== undefined) return undefined
  const command = request.query === undefined ? (factsOf(operation)?.command ?? undefined) : undefined
  const named = /^\/(?:observability\/)?payments\/[^/]/.test(path)
  const version = request.headers['x-api-version'] ?? EARLIEST_VERSION
  const idempotencyKey = request.headers['x-idempotency-key']
  const words = [
    'pay',
    ...(command === undefined || (named && payment === undefined)
      ? ['api', method, shellWord(`${path}${request.query === undefined ? '' : `?${request.query}`}`)]
      : [command]),
    `--base-url ${shellWord(origin)}`,
    ...(version === CURRENT_VERSION ? [] : [`--api-version ${shellWord(version)}`]),
    ...(idempotencyKey === undefined ? [] : [`--idempotency-key ${shellWord(idempotencyKey)}`]),
    ...(request.body === undefined ? [] : [`--data ${shellWord(request.body)}`]),
  ]
  // Last, because an id that starts with a hyphen ends the flags.
  if (command !== undefined && payment !== undefined && named) words.push(...argument(payment))
  return words.join(' ')
}

const argument = (id: string): readonly string[] =>
  id.startsWith('-') ? ['--', shellWord(id)] : [shellWord(id)]

const isComplete = (
  details: LoggedDetails,
): details is LoggedDetails & { readonly request: NonNullable<LoggedDetails['request']> } =>
  details.request !== undefined && details.request.bodyLength === undefined

/** Whether a secret was replaced, so that the reader must insert a value. */
export const hasPlaceholder = (command: string): boolean =>
  /\{[\w-]*(?:token|key|cardnumber|code|secret|authorization|cvv|pan|pin)\}/i.test(command)
