import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { fieldAt } from '../../json/fields.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import { EXIT, messageOf, PayError, UsageError } from '../../errors.ts'
import { callServer } from '../../sandbox/serve/call-server.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { runningServers } from './running-servers.ts'
import { readPort } from './serve-options.ts'

const PAGES = [
  'dashboard',
  'insights',
  'payment',
  'checkout',
  'requests',
  'sessions',
  'methods',
  'faults',
  'clock',
  'scenarios',
  'settings',
] as const

export const command: CommandSpec = {
  path: ['sandbox', 'open'],
  summary: 'Open a page of a running sandbox server in your browser',
  details: [
    'Prints the URL of a page, and opens it unless you add --print. Without PAGE, the page is the dashboard; "payment ID" is one payment, and "checkout CLIENT_TOKEN" the checkout of a client session. If several servers are running, uses the newest.',
    'Give - instead of the client token to read it from stdin: other users of this machine can read command lines. The browser gets the token through a link that works once.',
  ].join('\n\n'),
  examples: [
    { purpose: 'open the dashboard', line: 'pay sandbox open' },
    { purpose: 'open one payment', line: 'pay sandbox open payment "$ID"' },
    {
      purpose: 'pay as a customer would',
      line: 'pay --sandbox session create --amount "49.90 EUR" --order-id A-1 --query clientToken -o id | pay sandbox open checkout -',
    },
    { purpose: 'print the URL only', line: 'pay sandbox open insights --print' },
  ],
  args: [
    { name: 'PAGE', optional: true, choices: PAGES, help: PAGES.join(', ') },
    {
      name: 'TARGET',
      optional: true,
      secret: true,
      help: 'The ID after payment; the client token after checkout, or - to read it from stdin',
    },
  ],
  flags: {
    print: { kind: 'switch', help: 'Print the URL without opening it' },
    port: { kind: 'count', value: 'N', help: 'Use the server on this port' },
  },
  run,
  exitCodes: [EXIT.notConnected],
  related: ['sandbox start', 'sandbox status', 'session create'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const target = await readTarget(invocation, input)
  await invocation.noteSandbox()
  const server = await chooseServer(invocation, input)
  const url = `${server.url}${target.path}${target.clientToken === undefined ? '' : `#${encodeURIComponent(target.clientToken)}`}`
  const opened = !switchFlag(input, 'print') && (await openPage(invocation, server, target))
  return resultOf(
    { url, opened },
    { ...textView((shown: { readonly url: string }) => shown.url), ids: (shown) => [shown.url] },
  )
}

interface Target {
  readonly path: string
  readonly clientToken?: string
}

async function readTarget(invocation: Invocation, { args }: CommandInput): Promise<Target> {
  const { PAGE: given = 'dashboard', TARGET: target } = args
  const page = oneOf('PAGE', given, PAGES)
  if (page === 'payment') return { path: `/dashboard/payments/${paymentSegment(target)}` }
  if (page === 'checkout') {
    if (target === undefined || target === '') throw missing('CLIENT_TOKEN', 'pay sandbox open checkout -')
    const clientToken =
      target === '-' ? await readSecret(invocation, { what: 'CLIENT_TOKEN', label: 'Client token' }) : target
    return { path: '/checkout', clientToken }
  }
  if (target !== undefined)
    throw new UsageError(`The page ${page} takes no further argument`, {
      code: 'bad_value',
      next: [`pay sandbox open ${page}`],
    })
  return { path: page === 'dashboard' ? '/dashboard' : `/dashboard/${page}` }
}

/** The ID as a part of a path. Dots are refused, because browsers would resolve them as a step up. */
function paymentSegment(id: string | undefined): string {
  if (id === undefined || id === '') throw missing('ID', 'pay sandbox open payment "$ID"')
  if (/^\.{1,2}$/.test(id)) throw new UsageError(`"${id}" is not a payment ID`, { code: 'bad_value' })
  return encodeURIComponent(id)
}

const missing = (what: string, next: string): UsageError =>
  new UsageError(`Missing: ${what}`, { code: 'missing_input', next: [next] })

async function chooseServer(invocation: Invocation, input: CommandInput): Promise<RegisteredServer> {
  const portText = textFlag(input, 'port')
  const port = portText === undefined ? undefined : readPort(portText)
  const running = await runningServers(invocation)
  const servers = port === undefined ? running : running.filter((server) => server.port === port)
  const newest = servers.at(-1)
  if (newest === undefined) throw noServer(port)
  if (servers.length > 1)
    await invocation.note(
      `${servers.length} servers are running; this is the newest. Choose one with --port: ${servers.map((server) => server.port).join(', ')}`,
    )
  return newest
}

const noServer = (port: number | undefined): PayError =>
  new PayError(
    'no_server',
    EXIT.notConnected,
    port === undefined ? 'No sandbox server is running' : `No sandbox server is running on port ${port}`,
    {
      outcome: 'none',
      hint: 'Start one, then open the page.',
      next: [
        `pay sandbox start --background${port === undefined ? '' : ` --port ${port}`}`,
        'pay sandbox status',
      ],
    },
  )

/** Returns whether a browser was started. Warns if not: the URL is printed anyway. */
async function openPage(
  { context, settings, warn }: Invocation,
  server: RegisteredServer,
  { path, clientToken }: Target,
): Promise<boolean> {
  const link = clientToken === undefined ? path : await oneTimeLink(server, clientToken, settings.timeoutMs)
  try {
    await context.program.openUrl(`${server.url}${link}`)
    return true
  } catch (error) {
    const why = messageOf(error)
    await warn(`Warning: no browser could be started (${why}). Open the URL yourself.`)
    return false
  }
}

/** Returns a link in place of the token: other users can read the command line that starts the browser. */
async function oneTimeLink(
  { url, controlKey }: RegisteredServer,
  clientToken: string,
  timeoutMs: number,
): Promise<string> {
  const answer = await callServer({
    url,
    method: 'POST',
    path: '/sandbox/open',
    key: controlKey,
    body: { clientToken },
    timeoutMs,
  })
  const path = fieldAt(answer?.body, ['path'])
  if (answer?.status === 200 && typeof path === 'string' && path.startsWith('/')) return path
  throw new PayError(
    'not_connected',
    EXIT.notConnected,
    `The server at ${url} returned no link to the checkout`,
    {
      outcome: 'none',
      next: ['pay sandbox open checkout - --print', 'pay sandbox status'],
    },
  )
}
