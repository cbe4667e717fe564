import { restrictConfigFolder } from '../client/config/read-profiles.ts'
import type { Account } from '../client/config/resolve-account.ts'
import { UsageError } from '../errors.ts'
import type { Outcome } from '../errors.ts'
import { createClient } from '../client/calls/client.ts'
import type { Answer } from '../client/calls/call.ts'
import type { Client } from '../client/calls/client-port.ts'
import type { Transport } from '../client/http/transport-port.ts'
import { parseJson, repeatedKeyIn } from '../json/json.ts'
import { removeSecrets, redactText } from '../output/redact.ts'
import { withIdentity } from './command/sandbox-identity.ts'
import { selectAccount, withKey } from './account/account.ts'
import type { Context, Spinner } from './command/context.ts'
import type { ClientTuning, MessageContent, Messages } from './command/invocation.ts'
import { withoutNulls } from './command/nulls.ts'
import { isOn } from './parse/settings.ts'
import { isMachine } from './command/settings.ts'
import type { Settings } from './command/settings.ts'
import { movesMoney } from './command/spec.ts'
import type { CommandRun, CommandSpec } from './command/spec.ts'
import { colorPaint, plainPaint, shouldColor } from '../output/paint.ts'
import type { Paint } from '../output/paint.ts'
import { safeText } from '../output/safe-text.ts'
import { wrapWords } from '../output/wrap.ts'
import type { CommandInput } from './command/input.ts'
import { attemptLines } from './report/attempt-lines.ts'
import type { AttemptLog } from '../client/calls/attempt.ts'

/** Announce waits from this length on: without a message the program seems to hang. */
const LONG_WAIT_MS = 3_000

/** Whether to redact this API key in results too. A short or numeric one may occur in a result by chance. */
const isSearchable = (key: string): boolean => key.length >= 8 && /\D/.test(key)

/** What to start a run with. */
interface RunParts {
  readonly context: Context
  readonly spec: CommandSpec
  readonly input: CommandInput
  readonly settings: Settings
}

/** The secrets found so far: `all` are removed from messages, and API keys from results too. */
interface FoundSecrets {
  readonly all: string[]
  readonly keys: string[]
}

type RunMessages = Messages & Pick<CommandRun, 'hideKeys' | 'reportAttempt'>

/** A started run, to be closed when it ends. */
export interface StartedRun extends CommandRun {
  readonly close: () => Promise<void>
}

/** Starts a run. Opens the account, connections and prompts only at first use. */
export function startInvocation(started: RunParts): StartedRun {
  let effect: Outcome = 'none'
  const parts = {
    ...started,
    context: watching(started.context, () => {
      if (effect === 'none') effect = 'unknown'
    }),
  }
  const { context, settings } = parts
  const { stop } = context.interruption
  const secrets: FoundSecrets = { all: [], keys: [] }
  const connections: Promise<Transport>[] = []
  let account: Promise<Account> | undefined
  let client: Promise<Client> | undefined
  let spinner: Spinner | undefined
  const messages = createMessages(parts, secrets, () => spinner?.erase())
  const announceWait = () =>
    void messages.warn(
      `Interrupted: waiting up to ${Math.ceil(settings.timeoutMs / 1000)} s for the response. Interrupt again to stop waiting; the outcome is then unknown.`,
    )
  /** With --verbose, lines per attempt replace the spinner. */
  const isSpinning = !settings.isQuiet && !settings.isVerbose && !isMachine(settings.format)
  const connect = (resolved: Account, tuning?: ClientTuning): Promise<Client> =>
    connectTo(resolved, parts, messages, {
      onConnection: (connection) => connections.push(connection),
      // From here on a signal waits for the response. Before, it ends the command at once.
      onRecorded: () => {
        // A command with many calls announces the wait itself.
        if (tuning === undefined) stop.addEventListener('abort', announceWait, { once: true })
      },
      tuning,
    })

  const invocation: StartedRun = {
    ...parts,
    ...messages,
    isInteractive: mayAsk(context, settings),
    target: { id: undefined },
    account: () => (account ??= openAccount(parts, messages, secrets)),
    call: async (call) => {
      const { call: send } = await (client ??= invocation.account().then(connect))
      if (isSpinning) spinner = context.spin?.(call.operation.risk === 'read' ? 'Reading' : 'Sending')
      const answer = await send(call).finally(() => {
        spinner?.stop()
        spinner = undefined
        stop.removeEventListener('abort', announceWait)
      })
      if (call.operation.risk !== 'read') effect = 'applied'
      const { json, ...clean } = withoutKeys(answer, secrets.keys)
      return { ...clean, json: withoutNulls(json) }
    },
    clientOf: connect,
    effect: () => effect,
    markWritten: () => {
      effect = 'applied'
    },
    prompts: async () =>
      context.prompts(await paintFor(context, settings, 'stderr'), { isGuarded: movesMoney(parts.spec) }),
    close: async () => {
      context.closeLedgers()
      for (const connection of connections) {
        // A connection that failed to open has already been reported.
        const opened = await connection.catch(() => undefined)
        await opened?.close()
      }
    },
  }
  return invocation
}

/** Calls `onWrite` before a request that may write is sent. */
const watching = (context: Context, onWrite: () => void): Context => ({
  ...context,
  connect: async (...to) => {
    const transport = await context.connect(...to)
    return {
      ...transport,
      send: (request, options) => {
        if (request.method !== 'GET') onWrite()
        return transport.send(request, options)
      },
      close: () => transport.close(),
    }
  },
})

const mayAsk = ({ stdin, stderr, env }: Context, { neverAsks, format }: Settings): boolean =>
  stdin.isTTY && stderr.isTTY && !isOn(env['CI']) && !neverAsks && !isMachine(format)

/** Selects the account of the run, registers its key as a secret, and prints warnings about it. */
async function openAccount(
  { context, settings, input }: RunParts,
  { warn, noteSandbox }: RunMessages,
  secrets: FoundSecrets,
): Promise<Account> {
  const isSending = settings.mode === 'send'
  const { account: selected, warnings } = selectAccount(context, input, isSending)
  const account = isSending ? await withKey(context, selected) : selected
  // A dry run changes nothing, not even permissions; the embedded sandbox needs no profile.
  if (isSending && account.kind === 'service') restrictConfigFolder(context.configFolder, context)
  if (account.apiKey !== undefined && account.kind === 'service') {
    secrets.all.push(account.apiKey.value)
    if (isSearchable(account.apiKey.value)) secrets.keys.push(account.apiKey.value)
  }
  const tlsWarning = warnOfUncheckedTls(account, context.env)
  for (const line of tlsWarning === undefined ? warnings : [...warnings, tlsWarning])
    await warn(`Warning: ${line}`)
  if (account.kind === 'service') return account
  await noteSandbox()
  const identified = withIdentity(context, account, { creates: isSending })
  // A dry run shows what would be sent even if the sandbox can't be read.
  return isSending ? identified : identified.catch(() => account)
}

/** Connects to an account. Calls `onRecorded` once the ledger has recorded a write, just before it is sent. */
async function connectTo(
  account: Account,
  { context, settings }: RunParts,
  { note, reportAttempt }: RunMessages,
  events: {
    readonly onConnection: (connection: Promise<Transport>) => void
    readonly onRecorded: () => void
    readonly tuning: ClientTuning | undefined
  },
): Promise<Client> {
  const { tuning } = events
  if (account.apiKey === undefined) throw new UsageError('There is no API key for this call')
  // Check again here: `clientOf` connects to other accounts than the run's.
  warnOfUncheckedTls(account, context.env)
  const connection =
    tuning === undefined
      ? context.connect(account)
      : context.connect(account, { connections: tuning.connections })
  events.onConnection(connection)
  const transport = await connection
  return createClient({
    ...context,
    sleep: async (ms, signal, why) => {
      if (ms >= LONG_WAIT_MS && tuning === undefined) await note(`Waiting ${Math.round(ms / 1000)} s ${why}.`)
      await context.sleep(ms, signal)
    },
    transport: tuning?.pace(transport) ?? transport,
    // Only writes use the ledger, so a read does not load it.
    ledger: {
      endedOn: async (intent) => (await context.ledger(account)).endedOn(intent),
      begin: async (...intent) => {
        const ledger = await context.ledger(account)
        const open = await ledger.begin(...intent)
        events.onRecorded()
        return open
      },
    },
    profile: account.profile?.value,
    mode: account.mode.value,
    limits: account.limits,
    isEmbedded: account.kind === 'sandbox',
    baseUrl: account.baseUrl.value,
    apiKey: account.apiKey.value,
    apiVersion: account.apiVersion.value,
    timeoutMs: settings.timeoutMs,
    maxRetries: settings.maxRetries,
    onAttempt: (log) => reportAttempt(log, tuning?.printAbove),
  })
}

/** Removes API keys from a response. Do this before layout: a narrow column could show part of a key. */
function withoutKeys(answer: Answer, keys: readonly string[]): Answer {
  const text = removeSecrets(answer.text, keys)
  if (text === answer.text) return answer
  try {
    const json = answer.json === undefined ? undefined : parseJson(text, { duplicateKeys: 'last' })
    return { ...answer, text, json }
  } catch {
    // The text that looks like the key spans several JSON values, so it is not the key.
    return answer
  }
}

/** Whether Node accepts any certificate: anyone on the path can then read the key and impersonate the service. */
const isVerificationOff = (env: Context['env']): boolean => env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'

/**
 * The warning for a test account if certificates are not verified.
 * @throws {UsageError} for a live account
 */
function warnOfUncheckedTls(account: Account, env: Context['env']): string | undefined {
  if (account.kind === 'sandbox' || !isVerificationOff(env)) return undefined
  if (account.mode.value === 'live')
    throw new UsageError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off certificate verification, and this account is live',
      {
        code: 'tls_unchecked',
        hint: 'Unset it. To add your own certificate authority, set NODE_EXTRA_CA_CERTS=FILE.',
      },
    )
  return account.baseUrl.value.startsWith('https:')
    ? 'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, so anyone on the network path can read the key and impersonate the service.'
    : undefined
}

/** The messages of a run, without the secrets found so far. */
function createMessages(
  { context, settings }: RunParts,
  secrets: FoundSecrets,
  eraseSpinner: () => void,
): RunMessages {
  let timeZone: string | undefined
  let isSandboxNoted = false
  const told = new Set<string>()
  const warn = (line: string, content: MessageContent = 'text') => {
    eraseSpinner()
    const shown =
      content === 'ids'
        ? removeSecrets(line, secrets.all)
        : wrapWords(redactText(line, secrets.all), context.stderr.columns).join('\n')
    return context.stderr.write(`${shown}\n`)
  }
  const note = async (line: string, content?: MessageContent) => {
    if (!settings.isQuiet) await warn(line, content)
  }
  return {
    warn,
    note,
    noteSandbox: async () => {
      if (!isSandboxNoted) await note('embedded sandbox: no real money')
      isSandboxNoted = true
    },
    paint: (stream) => paintFor(context, settings, stream),
    renderOptions: async () => ({
      paint: await paintFor(context, settings, 'stdout'),
      width: context.stdout.isTTY ? context.stdout.columns : undefined,
      // Every time in a list needs it, and finding out takes 70 µs.
      get timeZone() {
        return (timeZone ??= context.timeZone())
      },
    }),
    keepSecret: (value) => {
      if (value.length > 3) secrets.all.push(value)
    },
    hideKeys: (text) => removeSecrets(text, secrets.keys),
    hideSecrets: (text) => removeSecrets(text, secrets.all),
    cleanText: (text) => safeText(redactText(text, secrets.all)),
    reportAttempt: (log, printAbove) => {
      // A run of many requests warns once.
      const ignored = printAbove === undefined || told.size === 0 ? warnOfIgnored(log, told) : undefined
      if (ignored !== undefined) void (printAbove ?? warn)(safeText(ignored))
      // JSON shows both. A run of many requests shows no response, and has no time to look.
      const isTable = settings.format === 'table' && settings.query === undefined && printAbove === undefined
      const repeated = isTable ? warnOfRepeated(log, told) : undefined
      if (repeated !== undefined) void warn(safeText(repeated))
      if (!settings.isVerbose) return
      for (const line of attemptLines(log, { isDebug: settings.isDebug, secrets: secrets.all }))
        void context.stderr.write(`${line}\n`)
    },
  }
}

async function paintFor(context: Context, settings: Settings, stream: 'stdout' | 'stderr'): Promise<Paint> {
  if (stream === 'stdout' && isMachine(settings.format)) return plainPaint
  return shouldColor({ flag: settings.color, env: context.env, isTTY: context[stream].isTTY })
    ? colorPaint()
    : plainPaint
}

/** How much of a header or a name to show, in characters. A header may have 16,000. */
const LONGEST_SHOWN = 1_000

/**
 * The warning about what the service ignored in a request: fields and parameters that its API version doesn't know. Undefined if
 * earlier warnings named all of them; `told` has their names.
 */
function warnOfIgnored({ ended }: AttemptLog, told: Set<string>): string | undefined {
  if (ended.kind === 'failure') return undefined
  const header = ended.answer.headers['x-sandbox-ignored']?.slice(0, LONGEST_SHOWN)
  const names = (header ?? '').split(',').map((name) => name.trim())
  const others = names.filter((name) => name !== '' && !told.has(name))
  if (others.length === 0) return undefined
  for (const name of others) told.add(name)
  return `Warning: The service doesn't know parts of the request under this API version and has ignored them: ${others.join(', ')}`
}

/** The warning about a field that a response has twice, of which only the last one is shown. */
function warnOfRepeated({ ended }: AttemptLog, told: Set<string>): string | undefined {
  if (ended.kind === 'failure' || ended.answer.status >= 300) return undefined
  const key = repeatedKeyIn(ended.answer.body)?.slice(0, LONGEST_SHOWN)
  if (key === undefined || told.has(key)) return undefined
  told.add(key)
  return `Warning: The response has the field ${JSON.stringify(key)} twice in one object, with different values; the last one is shown.`
}
