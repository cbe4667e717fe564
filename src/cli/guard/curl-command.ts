import type { CallOperation, Call } from '../../calls/call.ts'
import type { HttpRequest } from '../../http/transport-port.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { isRecord } from '../../is-record.ts'
import { resultOf, textView } from '../command/result.ts'
import type { Result } from '../command/result.ts'
import type { CommandRun } from '../command/spec.ts'

/** A request as a curl command, with shell variables in place of secrets. */

export function curlResult(
  invocation: CommandRun,
  operation: CallOperation,
  draft: { readonly body?: Call['body'] },
  request: HttpRequest,
  mark: string,
): Result {
  const { url } = request
  const headers = Object.entries(request.headers).filter(
    ([name]) => name !== 'user-agent' && name !== 'accept-encoding',
  )
  const lines = [
    // Without --globoff, curl takes brackets in a path for a pattern.
    `curl ${/[[\]{}]/.test(url) ? '--globoff ' : ''}--request ${request.method} ${quote(url, mark)}`,
    ...headers.map(
      ([name, value]) =>
        `  --header ${name === 'x-api-key' ? '"x-api-key: $PAY_API_KEY"' : quote(`${name}: ${value}`, mark)}`,
    ),
    // Hide secrets outside token fields too.
    ...(draft.body === undefined
      ? []
      : [`  --data-raw ${quote(invocation.hideSecrets(withPlaceholders(draft.body.text, mark)), mark)}`]),
  ]
  const curl = lines.join(' \\\n')
  return resultOf(
    { curl, operation: operation.id },
    textView(() => curl),
  )
}

/** Fields that are never shown. In a curl command, a shell variable takes their place. */
export const SECRET_FIELDS: readonly string[] = ['paymentMethodToken', 'clientToken', 'resumeToken']

function withPlaceholders(text: string, mark: string): string {
  const body = parseJson(text)
  if (!isRecord(body)) return text
  const hidden = SECRET_FIELDS.filter((name) => typeof body[name] === 'string')
  return stringifyJson({
    ...body,
    ...Object.fromEntries(hidden.map((name) => [name, placeholder(name, mark)])),
  })
}

/** A mark that does not occur in the request, so that no text of it becomes a shell variable. */
export function unusedMark(text: string): string {
  // URLs do not encode a tilde.
  let mark = '~~'
  while (text.includes(mark)) mark += '~'
  return mark
}

export const placeholder = (name: string, mark: string): string =>
  `${mark}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}${mark}`

export const markPattern = (mark: string): RegExp => new RegExp(`${mark}([A-Z_]+)${mark}`, 'g')

/** Quotes text for a shell with single quotes, interrupted only for the variable of a placeholder. */
const quote = (text: string, mark: string): string =>
  `'${text.replaceAll("'", "'\\''").replaceAll(markPattern(mark), (_, name: string) => `'"$${name}"'`)}'`
