import type { CallOperation } from '../../client/calls/call.ts'
import { READ } from '../../api/facts.ts'
import { findRoute } from '../../api/table.ts'
import { startDraft } from '../../cli/request/build-draft.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { operate } from '../../cli/operate.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { checkBody, invalidBody } from '../../cli/request/validate.ts'
import { EXIT, UsageError } from '../../errors.ts'
import { joinChoices } from '../../text/suggest.ts'
import { oneOf } from '../../cli/parse/choices.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const

export const command: CommandSpec = {
  path: ['api'],
  sendsAnyBody: true,
  summary: 'Call any API path',
  details:
    "A known path is treated as its operation, with its idempotency key, its checks and the profile's limits. An unknown path is treated as one that moves money, unless the method is GET. On a live profile, every call except GET asks first; a script needs --yes.",
  examples: [
    { purpose: 'read', line: 'pay --sandbox api GET /payments' },
    {
      purpose: 'read with query parameters',
      line: 'pay --sandbox api GET "/payments?status=SETTLED&limit=5"',
    },
    { purpose: 'write', line: 'pay --sandbox api POST /client-session --set orderId=A-1' },
  ],
  args: [
    { name: 'METHOD', param: 'METHOD', choices: METHODS, help: joinChoices(METHODS) },
    {
      name: 'PATH',
      param: 'PATH',
      help: 'Such as /payments; may include a query string. In Git Bash, leave out the first slash to read',
    },
  ],
  run,
  risk: 'money',
  asksOnLive: true,
  effect: 'GET reads. Any other method does what the path says, and may move money or delete data.',
  exitCodes: [
    EXIT.rejected,
    EXIT.auth,
    EXIT.notFound,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notFinished,
    EXIT.notConnected,
    EXIT.outcomeUnknown,
    EXIT.serverFault,
    EXIT.limit,
    EXIT.declined,
  ],
  related: ['schema', 'commands'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const method = oneOf('METHOD', (input.args['METHOD'] ?? '').toUpperCase(), METHODS)
  const typed = readPath(method, input.args['PATH'] ?? '')
  const { apiVersion } = await invocation.account()
  const { body } = await startDraft(invocation)
  const [path = '', search] = typed.split(/\?(.*)/s)
  const { match } = findRoute(method, path)
  const operation = match?.operation ?? unknownOperation(method, typed)
  const draft = {
    params: match?.params ?? {},
    query: match === undefined ? {} : readQuery(search ?? ''),
    body,
    money: undefined,
  }
  for (const [name, value] of [...Object.entries(draft.params), ...new URLSearchParams(search ?? '')])
    if (/token$/i.test(name)) invocation.keepSecret(value)
  if (match !== undefined && input.flags['validate'] !== false) {
    const checked = checkBody(operation, body, apiVersion.value)
    if (checked.problems.length > 0) throw invalidBody(operation.id, checked)
    for (const line of checked.warnings) await invocation.warn(`Warning: ${line}`)
  }
  return operate(invocation, operation, draft)
}

/**
 * Reads a path. One that is read may lack its slash: Git Bash takes `/payments` for a folder of its own, and passes on where that
 * is on Windows.
 * @throws {UsageError} `bad_value` for an address, and for what Git Bash makes of a path
 */
function readPath(method: string, typed: string): string {
  if (typed.startsWith('/')) return typed
  if (method === 'GET' && /^[a-z][\w-]*(?:[/?]|$)/i.test(typed)) return `/${typed}`
  throw new UsageError('The path must start with /', {
    code: 'bad_value',
    hint: /^[a-z]:[/\\]/i.test(typed)
      ? 'Git Bash has rewritten it. To read, leave out the slash: pay api GET payments. Otherwise set MSYS_NO_PATHCONV=1.'
      : 'Give only the path; the address comes from the profile.',
  })
}

/** Reads a query. Repeated parameters are joined, because the service takes a list as one value separated by commas. */
function readQuery(search: string): Readonly<Record<string, string>> {
  const values = new URLSearchParams(search)
  return Object.fromEntries([...values.keys()].map((name) => [name, values.getAll(name).join(',')]))
}

/** An operation for an unknown path, with the worst assumed: it may move money, and must not be repeated. */
function unknownOperation(method: string, path: string): CallOperation {
  const isRead = method === 'GET'
  return {
    ...READ,
    id: 'api',
    method,
    path,
    summary: 'Call any API path',
    clientFields: null,
    command: null,
    scope: '',
    beta: false,
    replay: isRead ? 'safe' : 'never',
    risk: isRead ? 'read' : 'money',
  }
}
