import { restrictConfigFolder } from '../config/restrict-folder.ts'
import type { Account } from '../config/resolve-account.ts'
import { UsageError } from '../errors.ts'
import { createClient } from '../calls/client.ts'
import type { Answer, Call, Client } from '../calls/call.ts'
import type { Transport } from '../http/transport-port.ts'
import { parseJson } from '../json/json.ts'
import { colorPaint, plainPaint, shouldColor } from '../output/paint.ts'
import type { Paint } from '../output/paint.ts'
import { redactText, removeSecrets } from '../output/redact.ts'
import { safeText } from '../output/safe-text.ts'
import type { RenderOptions } from '../output/view.ts'
import { accountOf } from './account/account.ts'
import { attemptLines } from './report/attempt-lines.ts'
import type { AttemptLog, Context, Spinner } from './command/context.ts'
import type { CommandInput } from './command/input.ts'
import type { Prompts, Question } from './command/prompts-port.ts'
import { isMachine, isOn } from './parse/settings.ts'
import type { Settings } from './parse/settings.ts'
import type { CommandSpec } from './command/spec.ts'
import type { Tree } from './command/spec.ts'
import { warnOfUncheckedTls } from './account/unchecked-tls.ts'

/** Words may hold a card number; what is masked already may hold ids that look like one. */
type Holds = 'words' | 'ids'

/** A wait that is worth a word: without one the program looks as if it hung. */
const LONG_WAIT_MS = 3_000

/** Another one is searched for in messages alone: a result may hold it by chance, in its words or its figures. */
const isSearchable = (key: string): boolean => key.length >= 8 && /\D/.test(key)

/** One run of one command: its settings, and what it may ask of the world. */
export interface Invocation {
  readonly context: Context
  readonly tree: Tree
  readonly spec: CommandSpec
  readonly input: CommandInput
  readonly settings: Settings
  /** Whether questions may be asked. */
  readonly isInteractive: boolean
  /** Which account, and why; resolved once. */
  readonly account: () => Promise<Account>
  /** The payment that the call turned out to be about, for suggestions. */
  readonly target: { id: string | undefined }
  readonly call: (call: Call) => Promise<Answer>
  /** For commands that act on an account that is not the call's own; ended with the invocation. */
  readonly clientOf: (account: Account) => Promise<Client>
  /** Whether the service has answered something that is no read. */
  readonly hasWritten: () => boolean
  /** For commands that send by themselves: what follows fails over something that was done. */
  readonly markWritten: () => void
  /** Drawn on stderr; only where {@link Invocation.isInteractive}. */
  readonly prompts: () => Promise<Prompts>
  readonly ask: (question: Question) => Promise<string>
  /** A line for the person on stderr; not with --quiet. */
  readonly note: (line: string, holds?: Holds) => Promise<void>
  /** A line on stderr that even --quiet keeps. */
  readonly warn: (line: string, holds?: Holds) => Promise<void>
  readonly paint: (stream: 'stdout' | 'stderr') => Promise<Paint>
  readonly renderOptions: () => Promise<RenderOptions>
  /** From here on the value never shows in a message. */
  readonly keepSecret: (value: string) => void
  /** A result as it is printed: the API key is not shown in it, wherever it comes from. */
  readonly hideKeys: (text: string) => string
  /** Card numbers stay: they are masked where it is known what is an id and what are words. */
  readonly hideSecrets: (text: string) => string
  /** Words of the service, or that repeat the input: on one line, without secrets, card numbers and control characters. */
  readonly cleanWords: (text: string) => string
  /** Tells of one attempt, with --verbose and --debug. */
  readonly reportAttempt: (log: AttemptLog) => void
  readonly close: () => Promise<void>
}

export function startInvocation(parts: {
  readonly context: Context
  readonly tree: Tree
  readonly spec: CommandSpec
  readonly input: CommandInput
  readonly settings: Settings
}): Invocation {
  const { context, settings } = parts
  const keys: string[] = []
  const secrets: string[] = []
  let hasWritten = false
  let timeZone: string | undefined
  let account: Promise<Account> | undefined
  let client: Promise<Client> | undefined
  const connections: Promise<Transport>[] = []

  const isInteractive =
    context.stdin.isTTY &&
    context.stderr.isTTY &&
    !isOn(context.env['CI']) &&
    !settings.neverAsk &&
    !isMachine(settings.format)
  const tellWait = () =>
    void warn(
      `Interrupted: waiting up to ${Math.ceil(settings.timeoutMs / 1000)} s for the answer. Once more gives it up, and leaves it in doubt.`,
    )
  let spinner: Spinner | undefined
  const warn = (line: string, holds: Holds = 'words') => {
    spinner?.erase()
    return context.stderr.write(`${(holds === 'ids' ? removeSecrets : redactText)(line, secrets)}\n`)
  }
  /** Lines of --verbose come in between, and say more. */
  const isSpinning = !settings.isQuiet && !settings.isVerbose && !isMachine(settings.format)

  const invocation: Invocation = {
    ...parts,
    isInteractive,
    target: { id: undefined },
    account: () => (account ??= openAccount()),
    call: async (call) => {
      const { call: send } = await (client ??= invocation.account().then(connect))
      const { stop } = context.interruption
      if (isSpinning) spinner = context.spin?.(call.operation.risk === 'read' ? 'Reading' : 'Sending')
      const answer = await send(call).finally(() => {
        spinner?.stop()
        spinner = undefined
        stop.removeEventListener('abort', tellWait)
      })
      hasWritten ||= call.operation.risk !== 'read'
      return withoutKeys(answer, keys)
    },
    clientOf: connect,
    hasWritten: () => hasWritten,
    markWritten: () => {
      hasWritten = true
    },
    prompts: async () => context.prompts(await paintFor(context, settings, 'stderr')),
    ask: async (question) => (await invocation.prompts()).text(question),
    note: async (line, holds) => {
      if (!settings.isQuiet) await warn(line, holds)
    },
    warn,
    paint: (stream) => paintFor(context, settings, stream),
    renderOptions: async () => ({
      paint: await paintFor(context, settings, 'stdout'),
      width: context.stdout.isTTY ? context.stdout.columns : undefined,
      // Asked for by each time of a list, and 70 µs to find out.
      get timeZone() {
        return (timeZone ??= context.timeZone())
      },
    }),
    keepSecret: (value) => {
      if (value.length > 3) secrets.push(value)
    },
    hideKeys: (text) => removeSecrets(text, keys),
    hideSecrets: (text) => removeSecrets(text, secrets),
    cleanWords: (text) => safeText(redactText(text, secrets)),
    reportAttempt: (log) => {
      if (!settings.isVerbose) return
      for (const line of attemptLines(log, { isDebug: settings.isDebug, secrets }))
        void context.stderr.write(`${line}\n`)
    },
    close: async () => {
      for (const connection of connections) {
        // One that failed to open has said so already.
        const opened = await connection.catch(() => undefined)
        await opened?.close()
      }
    },
  }
  return invocation

  async function openAccount(): Promise<Account> {
    const isSending = settings.mode === 'send'
    const { account: resolved, warnings } = accountOf(context, parts.input, isSending)
    // A dry run changes nothing, and the embedded sandbox has no profile.
    if (isSending && resolved.kind === 'service') restrictConfigFolder(context.configFolder, context)
    if (resolved.apiKey !== undefined && resolved.kind === 'service') {
      secrets.push(resolved.apiKey.value)
      if (isSearchable(resolved.apiKey.value)) keys.push(resolved.apiKey.value)
    }
    const unchecked = warnOfUncheckedTls(resolved, context.env)
    for (const line of unchecked === undefined ? warnings : [...warnings, unchecked])
      await warn(`Warning: ${line}`)
    if (resolved.kind === 'sandbox') await invocation.note('embedded sandbox: no real money')
    return resolved
  }

  async function connect(resolved: Account): Promise<Client> {
    if (resolved.apiKey === undefined) throw new UsageError('There is no API key for this call')
    // Not every account that is connected to is the one of the call.
    warnOfUncheckedTls(resolved, context.env)
    const connection = context.connect(resolved)
    connections.push(connection)
    const transport = await connection
    return createClient({
      ...context,
      sleep: async (ms, signal, why) => {
        if (ms >= LONG_WAIT_MS) await invocation.note(`Waiting ${Math.round(ms / 1000)} s ${why}.`)
        await context.sleep(ms, signal)
      },
      transport,
      // Loaded by what writes: a read leaves no trace.
      ledger: {
        begin: async (...intent) => {
          const open = await (await context.ledger()).begin(...intent)
          // Before it, a signal ends the command at once.
          context.interruption.stop.addEventListener('abort', tellWait, { once: true })
          return open
        },
      },
      profile: resolved.profile?.value,
      mode: resolved.mode.value,
      baseUrl: resolved.baseUrl.value,
      apiKey: resolved.apiKey.value,
      apiVersion: resolved.apiVersion.value,
      timeoutMs: settings.timeoutMs,
      maxRetries: settings.maxRetries,
      onAttempt: invocation.reportAttempt,
    })
  }
}

/** An answer that repeats the API key, without it. Before it is laid out: a narrow column would show a part of the key. */
function withoutKeys(answer: Answer, keys: readonly string[]): Answer {
  const text = removeSecrets(answer.text, keys)
  if (text === answer.text) return answer
  try {
    const json = answer.json === undefined ? undefined : parseJson(text, { duplicateKeys: 'last' })
    return { ...answer, text, json }
  } catch {
    // It was no text of the answer: the key reached over marks of the JSON.
    return answer
  }
}

async function paintFor(context: Context, settings: Settings, stream: 'stdout' | 'stderr'): Promise<Paint> {
  if (stream === 'stdout' && isMachine(settings.format)) return plainPaint
  return shouldColor({ flag: settings.color, env: context.env, isTTY: context[stream].isTTY })
    ? colorPaint()
    : plainPaint
}
