import { targetOf } from '../command/request-target.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { UsageError } from '../../errors.ts'
import type { Call, CallOperation } from '../../client/calls/call.ts'
import { buildRequest } from '../../client/calls/build.ts'
import { ticketKey } from '../../client/calls/build-intent.ts'
import type { HttpRequest } from '../../client/http/transport-port.ts'
import { parseJson, stringifyJson } from '../../json/json.ts'
import { maskCardInId, maskCardNumbers } from '../../output/card-number.ts'
import { hideUrlSecrets, isIdField, redactBody, redactHeaders } from '../../output/redact.ts'
import { safeJson, safeText } from '../../output/safe-text.ts'
import type { Draft } from '../command/draft.ts'
import type { CommandRun } from '../command/spec.ts'
import { resultOf, textView } from '../command/result.ts'
import type { Result } from '../command/result.ts'
import { isRecord } from '../../json/is-record.ts'
import { SECRET_FIELDS, curlResult, markerPattern, placeholder, createMarker } from './curl-command.ts'

type Body = Call['body']

/** Shows the request for `--dry-run` and `--curl`, without its secrets. Sends nothing and stores nothing. */
export async function showRequest(
  invocation: CommandRun,
  operation: CallOperation,
  draft: Omit<Draft, 'body'> & { readonly body: Body },
  notYetChecked: readonly string[],
): Promise<Result> {
  const account = await invocation.account()
  const { isKeyKnown, unchecked } = findUnknowns(invocation, draft, notYetChecked)
  const marker = createMarker(stringifyJson([account.baseUrl.value, operation.path, draft]))
  const shown = shownParts(invocation, operation, draft, marker)
  const request = buildRequest(
    { method: operation.method, path: shown.path },
    {
      ...targetOf(account, invocation.context),
      params: shown.params,
      query: shown.query,
      body: draft.body?.text,
      idempotencyKey:
        operation.idempotencyKey && isKeyKnown
          ? idempotencyKeyOf(invocation, operation, draft, account)
          : undefined,
    },
  )
  const isCurl = invocation.settings.mode === 'curl'
  const { idempotencyKey = '' } = invocation.settings
  const isKeyMasked = invocation.hideKeys(idempotencyKey) !== idempotencyKey
  if (isCurl && (shown.isMasked || isKeyMasked)) {
    throw new UsageError(
      'The request contains what may be a card number or another secret, which a curl command must not show',
      {
        code: 'bad_value',
        operation: operation.id,
        hint: 'Use --dry-run, which masks such values.',
      },
    )
  }
  for (const check of unchecked)
    await invocation.note(`Not checked, because that needs the service: ${check}.`)
  if (shown.isMasked) await invocation.note('Possible secrets are masked here, but would be sent as given.')
  await invocation.note('Nothing was sent.')
  return isCurl
    ? curlResult(invocation, operation, draft, request, marker)
    : dryRunResult(draft, request, unchecked, marker)
}

/** Lists what only sending can check. Refuses a curl command whose ticket key is unknown: it would repeat the write on every run. */
function findUnknowns(
  { settings }: CommandRun,
  { unresolved }: Pick<Draft, 'unresolved'>,
  unchecked: readonly string[],
): { readonly isKeyKnown: boolean; readonly unchecked: readonly string[] } {
  if (unresolved === undefined) return { isKeyKnown: true, unchecked }
  const all = [...Object.values(unresolved), ...unchecked]
  if (settings.ticket === undefined) return { isKeyKnown: true, unchecked: all }
  if (settings.mode === 'curl')
    throw new UsageError(
      'The idempotency key of a ticket depends on the ID, which has to be looked up first',
      { code: 'bad_value', hint: 'Give the ID itself.' },
    )
  return {
    isKeyKnown: false,
    unchecked: [...all, 'the idempotency key, which depends on that and on the ticket'],
  }
}

/** The idempotency key: the user's, the one derived from the ticket, or a new random one. */
function idempotencyKeyOf(
  { settings, context }: CommandRun,
  operation: CallOperation,
  { params, body }: Pick<Draft, 'params'> & { readonly body: Body },
  { baseUrl }: Account,
): string {
  const { idempotencyKey, ticket } = settings
  if (ticket === undefined) return idempotencyKey ?? context.newId()
  const call = { operation, params, ...(body === undefined ? {} : { body }) }
  return ticketKey({ baseUrl: baseUrl.value }, call, ticket)
}

/** The parts of the URL for display: placeholders for tokens, IDs unchanged, everything else without card numbers. */
function shownParts(
  invocation: CommandRun,
  operation: CallOperation,
  draft: Omit<Draft, 'body'> & { readonly body: Body },
  marker: string,
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
        isSecret(name) ? placeholder(name, marker) : shownValue(name, value),
      ]),
    )
  const params = { ...shownValues(draft.params), ...unresolvedValues(draft, marker) }
  const query = shownValues(draft.query)
  // The path of `pay api` is typed by the user and may contain anything.
  const path =
    operation.id === 'api' ? maskCardNumbers(invocation.hideSecrets(operation.path)) : operation.path
  const visibleBody = stringifyJson(withoutSecretFields(draft.body?.value) ?? null)
  return {
    path: MASKS.reduce((text, masked) => text.replaceAll(masked, encodeURIComponent(masked)), path),
    params,
    query,
    isMasked:
      path !== operation.path ||
      isAnyMasked(draft.params) ||
      isAnyMasked(draft.query) ||
      hideKeys(stringifyJson(redactBody(parseJson(visibleBody), 'keep-ids'))) !== visibleBody,
  }

  function isAnyMasked(values: Readonly<Record<string, string>>): boolean {
    return Object.entries(values).some(
      ([name, value]) => !isSecret(name) && shownValue(name, value) !== value,
    )
  }
}

/** What redaction puts in place of a value. */
const MASKS = ['[card number]', '[redacted]'] as const

/** Placeholders for unresolved parameters: a shell variable in a curl command, `{id}` in a dry run. */
const unresolvedValues = ({ unresolved = {} }: Pick<Draft, 'unresolved'>, marker: string) =>
  Object.fromEntries(Object.keys(unresolved).map((name) => [name, placeholder(name, marker)]))

function withoutSecretFields(body: unknown): unknown {
  if (!isRecord(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SECRET_FIELDS.includes(name)))
}

function dryRunResult(
  draft: Pick<Draft, 'unresolved'> & { readonly body: Body },
  request: HttpRequest,
  unchecked: readonly string[],
  marker: string,
): Result {
  const url = Object.entries(unresolvedValues(draft, marker)).reduce(
    (text, [name, value]) => text.replaceAll(value, `{${name}}`),
    request.url,
  )
  const shown = {
    method: request.method,
    url: MASKS.reduce(
      (text, masked) => text.replaceAll(encodeURIComponent(masked), masked),
      hideUrlSecrets(url).replaceAll(markerPattern(marker), '[redacted]'),
    ),
    headers: redactHeaders(request.headers),
    ...(draft.body === undefined ? {} : { body: redactBody(draft.body.value, 'keep-ids') }),
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
