import type { Account } from '../../config/resolve-account.ts'
import { AuthError, UsageError } from '../../errors.ts'
import type { CallOperation } from '../../calls/call.ts'
import { buildRequest } from '../../calls/build.ts'
import { ticketKey } from '../../calls/build-intent.ts'
import type { HttpRequest } from '../../http/transport-port.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { maskCardInId, maskCardNumbers } from '../../output/card-number.ts'
import { hideUrlSecrets, isIdField, redactBody, redactHeaders } from '../../output/redact.ts'
import { safeJson, safeText } from '../../output/safe-text.ts'
import type { Draft } from '../request/start-draft.ts'
import type { Invocation } from '../invocation.ts'
import { resultOf, textView } from '../command/result.ts'
import type { Result } from '../command/result.ts'
import { isRecord } from '../../is-record.ts'

type Body = { readonly value: unknown; readonly text: string } | undefined

/** `--dry-run` and `--curl`: the request as it would be sent, without its secrets. Nothing is sent and nothing is kept. */
export async function showRequest(
  invocation: Invocation,
  operation: CallOperation,
  draft: Omit<Draft, 'body'> & { readonly body: Body },
  checkedLater: readonly string[],
): Promise<Result> {
  const account = await invocation.account()
  const { isKeyKnown, unchecked } = unknownsOf(invocation, draft, checkedLater)
  const mark = unusedMark(stringifyJson([account.baseUrl.value, operation.path, draft]))
  const shown = shownParts(invocation, operation, draft, mark)
  const request = buildRequest(
    { method: operation.method, path: shown.path },
    {
      baseUrl: account.baseUrl.value,
      params: shown.params,
      query: shown.query,
      body: draft.body?.text,
      apiKey: account.apiKey?.value ?? '',
      apiVersion: account.apiVersion.value,
      idempotencyKey:
        operation.idempotencyKey && isKeyKnown ? keyOf(invocation, operation, draft, account) : undefined,
      userAgent: invocation.context.userAgent,
    },
  )
  const isCurl = invocation.settings.mode === 'curl'
  const { idempotencyKey = '' } = invocation.settings
  const isKeyMasked = invocation.hideKeys(idempotencyKey) !== idempotencyKey
  if (isCurl && (shown.isMasked || isKeyMasked)) {
    throw new UsageError(
      'The request holds what may be a card number or another secret: no curl line can show it',
      {
        code: 'bad_value',
        operation: operation.id,
        outcome: 'none',
        hint: 'See it with --dry-run, where such values are masked',
      },
    )
  }
  for (const thing of unchecked) await invocation.note(`Not checked without asking the service: ${thing}.`)
  if (shown.isMasked)
    await invocation.note('Values that may be secret are masked here; they would be sent as given.')
  await invocation.note('Nothing was sent.')
  return isCurl
    ? curlResult(invocation, operation, draft, request, mark)
    : dryRunResult(draft, request, unchecked, mark)
}

/** What is found out only when it is sent. A curl line that lacks the ticket's key would do it each time that it is run. */
function unknownsOf(
  { settings }: Invocation,
  { unfound }: Pick<Draft, 'unfound'>,
  unchecked: readonly string[],
): { readonly isKeyKnown: boolean; readonly unchecked: readonly string[] } {
  if (unfound === undefined) return { isKeyKnown: true, unchecked }
  const all = [...Object.values(unfound), ...unchecked]
  if (settings.ticket === undefined) return { isKeyKnown: true, unchecked: all }
  if (settings.mode === 'curl')
    throw new UsageError('The key for a ticket is made from what has to be looked up first', {
      code: 'bad_value',
      outcome: 'none',
      hint: 'Give the ID itself.',
    })
  return { isKeyKnown: false, unchecked: [...all, 'the idempotency key, which hangs on that and the ticket'] }
}

/** The key of a ticket is the one that would be sent; one that is made by chance is a new one each time. */
function keyOf(
  { settings, context }: Invocation,
  operation: CallOperation,
  { params, body }: Pick<Draft, 'params'> & { readonly body: Body },
  { baseUrl, apiKey }: Account,
): string {
  const { idempotencyKey, ticket } = settings
  if (ticket === undefined) return idempotencyKey ?? context.newId()
  if (apiKey === undefined)
    throw new AuthError('The key for a ticket is made with the API key, and there is none', {
      outcome: 'none',
    })
  const call = { operation, params, ...(body === undefined ? {} : { body }) }
  return ticketKey({ baseUrl: baseUrl.value, apiKey: apiKey.value }, call, ticket)
}

/** The parts of the URL as they may be shown: marks in place of tokens, ids as they are, all else without card numbers. */
function shownParts(
  invocation: Invocation,
  operation: CallOperation,
  draft: Omit<Draft, 'body'> & { readonly body: Body },
  mark: string,
) {
  const { hideKeys } = invocation
  const secretParams = (invocation.spec.args ?? []).flatMap((argument) =>
    argument.secret === true && argument.param !== undefined ? [argument.param] : [],
  )
  const isSecret = (name: string) => secretParams.includes(name) || SECRET_FIELDS.includes(name)
  const shownValue = (name: string, value: string) =>
    hideKeys(isIdField(name) ? maskCardInId(value) : maskCardNumbers(value))
  const shownValues = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        isSecret(name) ? placeholder(name, mark) : shownValue(name, value),
      ]),
    )
  const params = { ...shownValues(draft.params), ...unfoundValues(draft, mark) }
  const query = shownValues(draft.query)
  // A path that is in no table is the reader's own, and may hold anything.
  const path =
    operation.id === 'api' ? maskCardNumbers(invocation.hideSecrets(operation.path)) : operation.path
  const openBody = stringifyJson(withoutSecretFields(draft.body?.value) ?? null)
  return {
    path: MASKS.reduce((text, masked) => text.replaceAll(masked, encodeURIComponent(masked)), path),
    params,
    query,
    isMasked:
      path !== operation.path ||
      isAnyMasked(draft.params) ||
      isAnyMasked(draft.query) ||
      hideKeys(stringifyJson(redactBody(parseJson(openBody), 'kept'))) !== openBody,
  }

  function isAnyMasked(values: Readonly<Record<string, string>>): boolean {
    return Object.entries(values).some(
      ([name, value]) => !isSecret(name) && shownValue(name, value) !== value,
    )
  }
}

/** What stands in a URL for what is not shown. */
const MASKS = ['[card number]', '[redacted]'] as const
const MASKS_IN_URL = new RegExp(MASKS.map(encodeURIComponent).join('|'), 'g')

/** In a curl line the reader's own variable; in a dry run the name, as the table has it. */
const unfoundValues = ({ unfound = {} }: Pick<Draft, 'unfound'>, mark: string) =>
  Object.fromEntries(Object.keys(unfound).map((name) => [name, placeholder(name, mark)]))

function withoutSecretFields(body: unknown): unknown {
  if (!isRecord(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SECRET_FIELDS.includes(name)))
}

function dryRunResult(
  draft: Pick<Draft, 'unfound'> & { readonly body: Body },
  request: HttpRequest,
  unchecked: readonly string[],
  mark: string,
): Result {
  const url = Object.entries(unfoundValues(draft, mark)).reduce(
    (text, [name, value]) => text.replaceAll(value, `{${name}}`),
    request.url,
  )
  const shown = {
    method: request.method,
    url: hideUrlSecrets(url)
      .replaceAll(markPattern(mark), '[redacted]')
      .replaceAll(MASKS_IN_URL, (masked) => decodeURIComponent(masked)),
    headers: redactHeaders(request.headers),
    ...(draft.body === undefined ? {} : { body: redactBody(draft.body.value, 'kept') }),
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
  draft: { readonly body: Body },
  request: HttpRequest,
  mark: string,
): Result {
  const { url } = request
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
    // What is secret without being a token's field is not shown either.
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

/** Fields that are never written out; in a shell line the reader's own variable stands for them. */
const SECRET_FIELDS: readonly string[] = ['paymentMethodToken', 'clientToken', 'resumeToken']

function withPlaceholders(text: string, mark: string): string {
  const body = parseJson(text)
  if (!isRecord(body)) return text
  const hidden = SECRET_FIELDS.filter((name) => typeof body[name] === 'string')
  return stringifyJson({
    ...body,
    ...Object.fromEntries(hidden.map((name) => [name, placeholder(name, mark)])),
  })
}

/** Stands nowhere in the request: what a person wrote never becomes a variable of the shell. */
function unusedMark(text: string): string {
  // A sign that stays as it is in a URL.
  let mark = '~~'
  while (text.includes(mark)) mark += '~'
  return mark
}

const placeholder = (name: string, mark: string): string =>
  `${mark}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}${mark}`

const markPattern = (mark: string): RegExp => new RegExp(`${mark}([A-Z_]+)${mark}`, 'g')

/** Single quotes keep everything; a placeholder steps out of them for a variable. */
const quote = (text: string, mark: string): string =>
  `'${text.replaceAll("'", "'\\''").replaceAll(markPattern(mark), (_, name: string) => `'"$${name}"'`)}'`
