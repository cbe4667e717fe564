import type { CallOperation } from '../http/call.ts'
import { buildRequest } from '../http/build.ts'
import type { WireRequest } from '../http/transport-port.ts'
import { parseJson, stringifyJson } from '../json/json.ts'
import { redactBody, redactHeaders } from '../output/redact.ts'
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
    url: invocation.hideSecrets(request.url),
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
  let url = request.url
  for (const [name, value] of [...Object.entries(draft.params), ...Object.entries(draft.query)]) {
    if (secretParams.has(name) || name === 'clientToken')
      url = url.replace(encodeURIComponent(value), placeholder(name))
  }
  const headers = Object.entries(request.headers).filter(
    ([name]) => name !== 'user-agent' && name !== 'accept-encoding',
  )
  const lines = [
    `curl --request ${request.method} ${quote(url)}`,
    ...headers.map(
      ([name, value]) =>
        `  --header ${name === 'x-api-key' ? '"x-api-key: $PAY_API_KEY"' : quote(`${name}: ${value}`)}`,
    ),
    ...(draft.body === undefined ? [] : [`  --data-raw ${quote(withPlaceholders(draft.body.text))}`]),
  ]
  const curl = lines.join(' \\\n')
  return resultOf(
    { curl, operation: operation.id },
    textView(() => curl),
  )
}

/** Fields that are never written out; in a shell line the reader's own variable stands for them. */
const SECRET_FIELDS = ['paymentMethodToken', 'clientToken', 'resumeToken']

function withPlaceholders(text: string): string {
  const body = parseJson(text)
  if (!isObject(body)) return text
  const hidden = SECRET_FIELDS.filter((name) => typeof body[name] === 'string')
  return stringifyJson({ ...body, ...Object.fromEntries(hidden.map((name) => [name, placeholder(name)])) })
}

const placeholder = (name: string): string =>
  `@@${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}@@`

/** Single quotes keep everything; a placeholder steps out of them for a variable. */
const quote = (text: string): string =>
  `'${text.replaceAll("'", "'\\''").replaceAll(/@@([A-Z_]+)@@/g, `'"$$$1"'`)}'`
