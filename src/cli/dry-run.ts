import type { CallOperation } from '../http/call.ts'
import { buildRequest } from '../http/build.ts'
import type { WireRequest } from '../http/transport-port.ts'
import { parseJson, stringifyJson } from '../json/json.ts'
import { redactBody, redactHeaders, redactUrl } from '../output/redact.ts'
import { safeJson, safeText } from '../output/safe-text.ts'
import type { Draft } from './draft.ts'
import { isObject } from './field-path.ts'
import type { Invocation } from './invocation.ts'
import { resultOf, textView } from './result.ts'
import type { Result } from './result.ts'

type Body = { readonly value: unknown; readonly text: string } | undefined

/** `--dry-run` and `--curl`: the request as it would be sent, without its secrets. Nothing is sent and nothing is kept. */
export async function showRequest(
  invocation: Invocation,
  operation: CallOperation,
  draft: Omit<Draft, 'body'> & { readonly body: Body },
  unchecked: readonly string[],
): Promise<Result> {
  const account = await invocation.account()
  const request = buildRequest(operation, {
    baseUrl: account.baseUrl.value,
    params: draft.params,
    query: draft.query,
    body: draft.body?.text,
    apiKey: account.apiKey?.value ?? '',
    apiVersion: account.apiVersion.value,
    idempotencyKey: operation.idempotencyKey
      ? (invocation.settings.idempotencyKey ?? invocation.context.newId())
      : undefined,
    userAgent: invocation.context.userAgent,
  })
  for (const thing of unchecked) await invocation.note(`Not checked without asking the service: ${thing}.`)
  await invocation.note('Nothing was sent.')
  return invocation.settings.mode === 'curl'
    ? curlResult(invocation, operation, draft, request)
    : dryRunResult(invocation, draft, request, unchecked)
}

function dryRunResult(
  invocation: Invocation,
  draft: { readonly body: Body },
  request: WireRequest,
  unchecked: readonly string[],
): Result {
  const shown = {
    method: request.method,
    url: invocation.hideSecrets(redactUrl(request.url, [])),
    headers: redactHeaders(request.headers),
    ...(draft.body === undefined ? {} : { body: redactBody(draft.body.value) }),
    ...(unchecked.length === 0 ? {} : { unchecked }),
  }
  const lines = [
    `${shown.method} ${safeText(shown.url)}`,
    ...Object.entries(shown.headers).map(([name, value]) => `${name}: ${value}`),
    ...(shown.body === undefined ? [] : ['', safeJson(stringifyJson(shown.body, 2))]),
  ]
  return resultOf(
    shown,
    textView(() => lines.join('\n')),
  )
}

function curlResult(
  invocation: Invocation,
  operation: CallOperation,
  draft: Omit<Draft, 'body'> & { readonly body: Body },
  request: WireRequest,
): Result {
  const secretParams = new Set(
    (invocation.spec.args ?? []).flatMap((argument) =>
      argument.secret === true && argument.param !== undefined ? [argument.param] : [],
    ),
  )
  const mark = unusedMark(
    `${request.url} ${Object.values(request.headers).join(' ')} ${draft.body?.text ?? ''}`,
  )
  let url = request.url
  for (const [name, value] of [...Object.entries(draft.params), ...Object.entries(draft.query)]) {
    if (secretParams.has(name) || SECRET_FIELDS.includes(name))
      url = url.replace(encodeURIComponent(value), () => placeholder(name, mark))
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => name !== 'user-agent' && name !== 'accept-encoding',
  )
  const lines = [
    // Brackets in a path of the reader's own are no pattern.
    `curl ${/[[\]{}]/.test(url) ? '--globoff ' : ''}--request ${request.method} ${quote(url, mark)}`,
    ...headers.map(
      ([name, value]) =>
        `  --header ${name === 'x-api-key' ? '"x-api-key: $PAY_API_KEY"' : quote(`${name}: ${value}`, mark)}`,
    ),
    ...(draft.body === undefined
      ? []
      : [`  --data-raw ${quote(withPlaceholders(draft.body.text, mark), mark)}`]),
  ]
  // Last, so that what is secret without being a token's field, as in an unknown path, is not shown either.
  const curl = invocation.hideSecrets(lines.join(' \\\n'))
  return resultOf(
    { curl, operation: operation.id },
    textView(() => curl),
  )
}

/** Fields that are never written out; in a shell line the reader's own variable stands for them. */
const SECRET_FIELDS: readonly string[] = ['paymentMethodToken', 'clientToken', 'resumeToken']

function withPlaceholders(text: string, mark: string): string {
  const body = parseJson(text)
  if (!isObject(body)) return text
  const hidden = SECRET_FIELDS.filter((name) => typeof body[name] === 'string')
  return stringifyJson({
    ...body,
    ...Object.fromEntries(hidden.map((name) => [name, placeholder(name, mark)])),
  })
}

/** Stands nowhere in the request: what a person wrote never becomes a variable of the shell. */
function unusedMark(text: string): string {
  let mark = '@@'
  while (text.includes(mark)) mark += '@'
  return mark
}

const placeholder = (name: string, mark: string): string =>
  `${mark}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}${mark}`

/** Single quotes keep everything; a placeholder steps out of them for a variable. */
const quote = (text: string, mark: string): string =>
  `'${text
    .replaceAll("'", "'\\''")
    .replaceAll(new RegExp(`${mark}([A-Z_]+)${mark}`, 'g'), (_, name: string) => `'"$${name}"'`)}'`
