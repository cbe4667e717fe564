import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { EXIT, interruptedBy, UsageError } from '../../errors.ts'
import { matchesPattern } from '../../sandbox/faults/pattern.ts'
import { changesAfter, MAX_CHANGES } from '../../sandbox/log/changes.ts'
import type { LoggedRequest } from '../../sandbox/log/logged-request.ts'
import { readLogView, viewLog } from '../../sandbox/log/log-view.ts'
import type { LogView } from '../../sandbox/log/log-view.ts'
import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../../views/format-fields.ts'
import { formatTime } from '../../views/format-time.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'
import { readFlags } from './invalid-flags.ts'

const ACTIONS = ['list', 'clear'] as const
const DEFAULT_LIMIT = 20

export const command: CommandSpec = {
  path: ['sandbox', 'requests'],
  summary: 'List the requests that the sandbox received, and their outcomes',
  details:
    'Newest first; with --follow, as they arrive, until you interrupt it. Shows path, keys, status, the fault that the request met, and whether it was applied (changed anything). Requests from pay --sandbox and from every client of a server share one log, which keeps the last 10,000. Tokens are never logged; the dashboard shows headers and bodies.',
  examples: [
    { purpose: 'the last 20 requests', line: 'pay sandbox requests' },
    {
      purpose: 'count the refunds that were applied',
      line: 'pay sandbox requests --on "POST /payments/*/refund" --limit 10000 --query "length([?applied])"',
    },
    { purpose: 'watch what arrives, in JSON lines', line: 'pay sandbox requests --follow --json' },
    { purpose: 'empty the log', line: 'pay sandbox requests clear' },
  ],
  args: [{ name: 'ACTION', optional: true, choices: ACTIONS, help: 'list (the default) or clear' }],
  flags: {
    limit: { kind: 'text', value: 'N', help: `How many requests, up to 10000 (default ${DEFAULT_LIMIT})` },
    on: {
      kind: 'text',
      value: 'PATTERN',
      help: "Only requests that match, with the patterns of faults: 'POST /payments/**'",
    },
    follow: { kind: 'switch', help: 'Print requests as they arrive, until Ctrl-C' },
    ...FOLDER_FLAG,
  },
  run: async (invocation, input) => {
    if (oneOf('ACTION', input.args['ACTION'] ?? 'list', ACTIONS) === 'list') {
      const view = readView(input)
      if (switchFlag(input, 'follow')) return followRequests(invocation, view.on)
      const found = await withSandbox(invocation, ({ read }) =>
        read(({ store }) => viewLog(store.requests, view)),
      )
      return resultOf(found, requestListView)
    }
    if (['on', 'limit', 'follow'].some((name) => input.flags[name] !== undefined))
      throw new UsageError("clear doesn't take --on, --limit or --follow: it empties the whole log", {
        code: 'bad_value',
      })
    await withSandbox(invocation, ({ write }) => write(({ store }) => store.requests.clear()))
    return resultOf([], requestListView)
  },
  risk: 'write',
  effect: 'Reads. clear permanently empties the request log.',
  related: ['sandbox faults'],
}

function readView(input: CommandInput): LogView {
  if (switchFlag(input, 'follow') && input.flags['limit'] !== undefined)
    throw new UsageError('--follow shows every request that arrives, so it takes no --limit', {
      code: 'bad_value',
    })
  const given = { limit: textFlag(input, 'limit'), on: textFlag(input, 'on') }
  return readFlags(() => readLogView(given, DEFAULT_LIMIT), {
    code: 'bad_value',
    summary: 'The flags are not valid',
    help: 'pay sandbox requests --help',
  })
}

const POLL_MS = 200

/** Prints requests as they arrive, until the command is interrupted or its reader has gone. */
async function followRequests(invocation: Invocation, on: string | undefined): Promise<Result> {
  const { context } = invocation
  const { stop } = context.interruption
  const print = await printer(invocation)
  await withSandbox(invocation, async (sandbox) => {
    let after: string | undefined
    while (!stop.aborted && context.stdout.isClosed?.() !== true) {
      const known = after
      const { position, requests } = await sandbox.read(({ store }) => changesAfter(store, known))
      after = position
      for (const request of requests)
        if (on === undefined || matchesPattern(on, request.method, request.path)) await print(request)
      if (requests.length < MAX_CHANGES) await context.sleep(POLL_MS, stop)
    }
  })
  const exitCode = stop.aborted ? interruptedBy(stop).exitCode : EXIT.done
  return { exitCode, isList: true, render: async () => '' }
}

async function printer({ context, settings, renderOptions }: Invocation) {
  const { query } = settings
  const format = settings.format === 'json' ? 'ndjson' : settings.format
  const options = await renderOptions()
  let isFirst = true
  return async (request: LoggedRequest) => {
    const text = await resultOf([request], followedRequestView).render({ format, query, options })
    // Only the first line of CSV is a header.
    await context.stdout.write(format === 'csv' && !isFirst ? text.replace(/^.*\n/, '') : text)
    isFirst = false
  }
}

export const requestListView: View<readonly LoggedRequest[]> = {
  ids: (requests) => requests.map(({ requestId }) => requestId),
  csvColumns: [
    'at',
    'requestId',
    'method',
    'path',
    'operation',
    'key',
    'idempotencyKey',
    'status',
    'errorId',
    'fault',
    'applied',
    'ignored',
  ],
  render: (requests, options) =>
    requests.length === 0
      ? 'No requests in the log.'
      : renderTable(columnsFor(options.timeZone), requests, options),
}

/** One request on one line, for requests that appear one after the other. */
const followedRequestView: View<readonly LoggedRequest[]> = {
  ...requestListView,
  render: (requests, options) =>
    requests
      .map((request) =>
        [
          formatTime(request.at, options.timeZone) ?? '',
          String(request.status ?? '---'),
          request.method.padEnd(6),
          request.path,
          request.applied ? 'applied' : '',
          formatField(request.errorId) ?? '',
          formatField(request.fault) ?? '',
        ]
          .filter((text) => text !== '')
          .map(safeText)
          .join('  '),
      )
      .join('\n'),
}

const columnsFor = (timeZone: string | undefined): readonly Column<LoggedRequest>[] => [
  { title: 'TIME', text: ({ at }) => formatTime(at, timeZone) ?? '', drop: 4 },
  { title: 'METHOD', text: ({ method }) => safeText(method) },
  { title: 'PATH', text: ({ path }) => safeText(path), tone: () => 'strong', shrink: true },
  {
    title: 'STATUS',
    text: ({ status }) => (status === undefined ? 'no response' : String(status)),
    tone: toneOf,
  },
  { title: 'ERROR', text: ({ errorId }) => formatField(errorId) ?? '', drop: 2 },
  { title: 'FAULT', text: ({ fault }) => formatField(fault) ?? '', tone: () => 'bad' },
  { title: 'APPLIED', text: ({ applied }) => (applied ? 'yes' : 'no') },
  { title: 'IDEMPOTENCY KEY', text: ({ idempotencyKey }) => formatField(idempotencyKey) ?? '', drop: 3 },
  { title: 'IGNORED', text: ({ ignored = [] }) => safeText(ignored.join(', ')), drop: 6 },
  { title: 'API KEY', text: ({ key }) => formatField(key) ?? 'none', drop: 5 },
]

const toneOf = ({ status }: LoggedRequest) => (status === undefined || status >= 400 ? 'bad' : undefined)
