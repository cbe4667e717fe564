import type { AttemptLog } from '../../client/calls/attempt.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { maskCardNumbers } from '../../output/card-number.ts'
import { isSecretField, redactBody, redactHeaders, redactUrl, removeSecrets } from '../../output/redact.ts'
import { safeText } from '../../output/safe-text.ts'

/** How much of a body to show, in characters. */
const MAX_BODY_LENGTH = 10_000

/** Formats one attempt, one line per entry, for `--verbose` and `--debug`, redacted. */
export function attemptLines(
  log: AttemptLog,
  options: { readonly isDebug: boolean; readonly secrets: readonly string[] },
): readonly string[] {
  const { request, ended } = log
  const clean = (text: string) => safeText(removeSecrets(text, options.secrets))
  const url = safeText(redactUrl(request.url, options.secrets))
  const outcome =
    ended.kind === 'answer'
      ? [
          String(ended.answer.status),
          ...(ended.requestId === undefined ? [] : [`request ${clean(ended.requestId)}`]),
          ...(ended.fault === undefined
            ? []
            : [clean(maskCardNumbers(`no usable response: it ${ended.fault}`))]),
        ].join(', ')
      : clean(maskCardNumbers(ended.failure.message))
  const first = `attempt ${log.attempt}: ${request.method} ${url}: ${outcome} (${log.durationMs} ms)`
  if (!options.isDebug) return [first]
  return [
    first,
    ...headerLines('>', request.headers).map(clean),
    ...bodyLines('>', request.body, clean),
    ...(ended.kind === 'answer'
      ? [...headerLines('<', ended.answer.headers).map(clean), ...bodyLines('<', ended.answer.body, clean)]
      : []),
  ]
}

const headerLines = (mark: string, headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(redactHeaders(headers)).map(([name, value]) => `${mark} ${name}: ${value}`)

/** Redacts before truncating: redaction would not recognize half a secret. */
function bodyLines(
  mark: string,
  body: string | undefined,
  clean: (text: string) => string,
): readonly string[] {
  if (body === undefined || body === '') return []
  return [`${mark} ${clean(redactedText(body)).slice(0, MAX_BODY_LENGTH)}`]
}

function redactedText(body: string): string {
  try {
    return stringifyJson(redactBody(parseJson(body, { duplicateKeys: 'last' })))
  } catch {
    // Truncated JSON still names its fields.
    return maskCardNumbers(body).replaceAll(
      /"([^"\\]*)"\s*:\s*("(?:[^"\\]|\\.)*"?|-?\d[\d.]*)/g,
      (all, name: string, value: string) => (isSecretField(name, value) ? `"${name}":"[redacted]"` : all),
    )
  }
}
