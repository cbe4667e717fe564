import type { CallOperation, Call } from '../../client/calls/call.ts'
import type { HttpRequest } from '../../client/http/transport-port.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { isRecord } from '../../json/is-record.ts'
import { resultOf, textView } from '../command/result.ts'
import type { Result } from '../command/result.ts'
import type { CommandRun } from '../command/spec.ts'

/** A request as a curl command, with shell variables in place of secrets. */

export function curlResult(
  invocation: CommandRun,
  operation: CallOperation,
  draft: { readonly body?: Call['body'] },
  request: HttpRequest,
  marker: string,
): Result {
  const { url } = request
  const headers = Object.entries(request.headers).filter(
    ([name]) => name !== 'user-agent' && name !== 'accept-encoding',
  )
  const lines = [
    // Without --globoff, curl takes brackets in a path for a pattern.
    `curl ${/[[\]{}]/.test(url) ? '--globoff ' : ''}--request ${request.method} ${quote(url, marker)}`,
    ...headers.map(
      ([name, value]) =>
        `  --header ${name === 'x-api-key' ? '"x-api-key: $PAY_API_KEY"' : quote(`${name}: ${value}`, marker)}`,
    ),
    // A secret may also be in a field that SECRET_FIELDS does not list.
    ...(draft.body === undefined
      ? []
      : [`  --data-raw ${quote(invocation.hideSecrets(withPlaceholders(draft.body.text, marker)), marker)}`]),
  ]
  const curl = lines.join(' \\\n')
  return resultOf(
    { curl, operation: operation.id },
    textView(() => curl),
  )
}

/** Fields that are never shown. In a curl command, a shell variable takes their place. */
export const SECRET_FIELDS: readonly string[] = ['paymentMethodToken', 'clientToken', 'resumeToken']

function withPlaceholders(text: string, marker: string): string {
  const body = parseJson(text)
  if (!isRecord(body)) return text
  const hidden = SECRET_FIELDS.filter((name) => typeof body[name] === 'string')
  return stringifyJson({
    ...body,
    ...Object.fromEntries(hidden.map((name) => [name, placeholder(name, marker)])),
  })
}

/** Returns a marker for placeholders that does not occur in the request, so none of its text is mistaken for one. */
export function createMarker(text: string): string {
  // URLs do not encode a tilde. One pass finds all markers that are taken: searching for one after another is slow in a text of many.
  const taken = new Set(text.match(/~\d+(?=~)/g))
  let number = 0
  while (taken.has(`~${number}`)) number += 1
  return `~${number}~`
}

export const placeholder = (name: string, marker: string): string =>
  `${marker}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}${marker}`

export const markerPattern = (marker: string): RegExp => new RegExp(`${marker}([A-Z_]+)${marker}`, 'g')

/**
 * Quotes text for a shell with single quotes, interrupted only for the variable of a placeholder, and for a backslash that fish would
 * take for the beginning of an escape.
 */
const quote = (text: string, marker: string): string =>
  `'${text.replaceAll(/'|\\(?=[\\']|$)/g, (character) => `'\\${character}'`).replaceAll(markerPattern(marker), (_, name: string) => `'"$${name}"'`)}'`
