import { useSignal } from '@preact/signals'
import { isRecord } from '../../../json/is-record.ts'
import { parseJson, stringifyJson } from '../../../json/json.ts'
import { JsonError } from '../../../json/json-error.ts'
import { formatTime } from '../../page/format.ts'
import type { LoggedMessage } from '../../../sandbox/log/logged-exchange.ts'
import type { LoggedDetails } from '../../../sandbox/log/logged-request.ts'
import { read } from '../../page/service.ts'
import { announce } from '../parts/announcement.tsx'
import { Details } from '../parts/details.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Link, paymentAddress } from '../parts/router.tsx'
import { FetchState } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { RequestStatus } from '../parts/status.tsx'
import { groupThousands } from '../../../text/words.ts'
import { factsOf } from '../../../api/facts.ts'
import { posixWord, windowsWord } from '../../../text/shell-word.ts'

interface RequestDialogProps {
  readonly requestId: string
  readonly onClose: () => void
}

/** One request: what was sent and answered, and how to send it again. */
export function RequestDialog({ requestId, onClose }: RequestDialogProps) {
  const fetched = useFetched(
    (signal) => read<LoggedDetails>(`/sandbox/requests/${encodeURIComponent(requestId)}`, { signal }),
    [requestId],
  )
  const { data } = fetched
  return (
    <Dialog
      title={data === undefined ? 'Request' : `${data.method} ${data.path}`}
      onClose={onClose}
      buttons={data === undefined ? null : <CopyButtons details={data} />}
    >
      <div class="request-details">
        {data === undefined ? <FetchState what="the request" of={fetched} /> : <Content details={data} />}
      </div>
    </Dialog>
  )
}

function Content({ details }: { readonly details: LoggedDetails }) {
  const { request, response, payment, ignored } = details
  return (
    <>
      <Details
        entries={[
          ['Status', <RequestStatus entry={details} />],
          ['Time', formatTime(details.at)],
          [
            'Duration',
            details.durationMs === undefined ? undefined : `${groupThousands(details.durationMs)} ms`,
          ],
          ['Applied', details.applied ? 'yes' : 'no'],
          ['Key', details.key ?? 'none'],
          ['Idempotency key', details.idempotencyKey],
          ['Fault', details.fault],
          [
            'Payment',
            payment === undefined ? undefined : <Link to={paymentAddress(payment)}>{payment}</Link>,
          ],
          ['Ignored', ignored?.join(', ')],
          ['Request ID', details.requestId],
        ]}
      />
      {request === undefined ? (
        <p class="hint">
          Headers and bodies are kept for the first 20 requests of each second. This one arrived after them.
        </p>
      ) : (
        <>
          <Message title="Request" message={request} query={request.query} />
          {response === undefined ? (
            <p class="hint">No response was sent.</p>
          ) : (
            <Message title="Response" message={response} />
          )}
        </>
      )}
    </>
  )
}

function Message(props: {
  readonly title: string
  readonly message: LoggedMessage
  readonly query?: string | undefined
}) {
  const { title, message, query } = props
  const { headers, body, bodyLength } = message
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {query === undefined ? null : <pre tabIndex={0}>?{query}</pre>}
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {body === undefined ? (
        <p class="hint">No body.</p>
      ) : (
        <pre tabIndex={0} aria-label={`${title} body`} role="group">
          {indent(body)}
        </pre>
      )}
      {bodyLength === undefined ? null : (
        <p class="hint">
          Only the first {groupThousands(body?.length ?? 0)} of {groupThousands(bodyLength)} characters are
          kept.
        </p>
      )}
    </section>
  )
}

/** Keeps every digit; leaves text that isn't JSON unchanged. */
function indent(body: string): string {
  try {
    const json = parseJson(body, { duplicateKeys: 'last' })
    return isRecord(json) || Array.isArray(json) ? stringifyJson(json, 2) : body
  } catch (error) {
    if (error instanceof JsonError) return body
    throw error
  }
}

function CopyButtons({ details }: { readonly details: LoggedDetails }) {
  const shown = useSignal<string | undefined>(undefined)
  const { origin } = window.location
  const commands = [
    ['Copy as curl', asCurl(details, origin)],
    ['Copy as pay', asPay(details, origin)],
  ] as const
  const copy = async (command: string) => {
    shown.value = command
    // Over plain http from another machine, browsers provide no clipboard, so the command can be selected.
    await navigator.clipboard?.writeText(command).then(
      () => announce('Copied.'),
      () => announce("The browser didn't allow copying. Select the command and copy it yourself."),
    )
  }
  return (
    <>
      {shown.value === undefined ? null : (
        <div class="command">
          <pre tabIndex={0} aria-label="Command" role="group">
            {shown.value}
          </pre>
          {hasPlaceholder(shown.value) ? (
            <p class="hint">
              The log keeps no tokens or card data: replace the words in braces with your own.
            </p>
          ) : null}
        </div>
      )}
      {commands.map(([label, command]) => (
        <button
          key={label}
          type="button"
          disabled={command === undefined}
          onClick={() => void copy(command ?? '')}
        >
          {label}
        </button>
      ))}
    </>
  )
}

/** The curl command that repeats the request; undefined if its body wasn't kept. Keys are in shell variables, never in the command. */
function asCurl(details: LoggedDetails, origin: string): string | undefined {
  if (!isComplete(details)) return undefined
  const { method, path, key, request } = details
  const { headers, body, query } = request
  const parts = [
    [
      'curl -sS --path-as-is',
      ...(method === 'GET' ? [] : [`-X ${posixWord(method)}`]),
      posixWord(`${origin}${path}${query === undefined ? '' : `?${query}`}`),
    ].join(' '),
    ...(headers['authorization'] === undefined ? [] : ['-H "Authorization: Bearer $CLIENT_TOKEN"']),
    ...(key === undefined ? [] : ['-H "X-API-KEY: $PAY_API_KEY"']),
    ...REPEATED_HEADERS.flatMap(([name, shown]) => {
      const value = headers[name]
      return value === undefined ? [] : [`-H ${posixWord(`${shown}: ${value}`)}`]
    }),
    ...(body === undefined
      ? []
      : [
          // curl would send a form.
          ...(headers['content-type'] === undefined ? ['-H "Content-Type: application/json"'] : []),
          `--data-raw ${posixWord(onOneLine(body))}`,
        ]),
  ]
  return parts.join(' \\\n  ')
}

/** The body without line breaks, which JSON has between its values only. */
const onOneLine = (body: string): string => body.replaceAll(/[\r\n]+\s*/g, ' ')

const REPEATED_HEADERS = [
  ['x-api-version', 'X-Api-Version'],
  ['x-idempotency-key', 'X-Idempotency-Key'],
  ['content-type', 'Content-Type'],
] as const

const EARLIEST_VERSION = '2021-09-27'
const CURRENT_VERSION = '2.1'

/** The `pay` command that repeats the request; undefined if its body wasn't kept, or if it needs a checkout's client token, which `pay` can't send. */
function asPay(details: LoggedDetails, origin: string): string | undefined {
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
    ...(request.body === undefined ? [] : [`--data ${shellWord(onOneLine(request.body))}`]),
  ]
  // Last, because an id that starts with a hyphen ends the flags.
  if (command !== undefined && payment !== undefined && named) words.push(...argument(payment))
  return words.join(' ')
}

/** Quotes a word for the shells of the machine that shows the page. */
const shellWord = (text: string): string =>
  (navigator.userAgent.includes('Windows') ? windowsWord : posixWord)(text)

const argument = (id: string): readonly string[] =>
  id.startsWith('-') ? ['--', shellWord(id)] : [shellWord(id)]

const isComplete = (
  details: LoggedDetails,
): details is LoggedDetails & { readonly request: NonNullable<LoggedDetails['request']> } =>
  details.request !== undefined && details.request.bodyLength === undefined

/** Whether a secret was replaced, so that the reader must insert a value. */
const hasPlaceholder = (command: string): boolean =>
  /\{[\w-]*(?:token|key|cardnumber|code|secret|authorization|cvv|pan|pin)\}/i.test(command)
