import { closeOwnFolder } from '../config/own-folder.ts'
import type { Account } from '../config/resolve.ts'
import { UsageError } from '../errors.ts'
import { createClient } from '../calls/client.ts'
import type { Answer, Client } from '../calls/call.ts'
import type { Transport } from '../http/transport-port.ts'
import { parseJson } from '../json/json.ts'
import { colorPaint, plainPaint, shouldColor } from '../output/paint.ts'
import type { Paint } from '../output/paint.ts'
import { redactText, withoutSecrets } from '../output/redact.ts'
import { safeText } from '../output/safe-text.ts'
import { selectAccount } from './account/account.ts'
import { attemptLines } from './report/attempt-lines.ts'
import type { Context, Spinner } from './command/context.ts'
import type { CommandInput } from './command/input.ts'
import type { MessageContent } from './command/invocation.ts'
import { isOn } from './parse/settings.ts'
import { isMachine } from './command/settings.ts'
import type { Settings } from './command/settings.ts'
import type { CommandRun, CommandSpec } from './command/spec.ts'
import { warnOfUncheckedTls } from './account/tls-check.ts'

/** A wait that is worth a word: without one the program looks as if it hung. */
const LONG_WAIT_MS = 3_000

/** Another one is searched for in messages alone: a result may hold it by chance, in its words or its figures. */
const isSearchable = (key: string): boolean => key.length >= 8 && /\D/.test(key)

/** A started run, to be closed when it ends. */
export interface StartedRun extends CommandRun {
  readonly close: () => Promise<void>
}

export function startInvocation(parts: {
  readonly context: Context
  readonly spec: CommandSpec
  readonly input: CommandInput
  readonly settings: Settings
}): StartedRun {
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
  const warn = (line: string, content: MessageContent = 'words') => {
    spinner?.erase()
    return context.stderr.write(`${(content === 'ids' ? withoutSecrets : redactText)(line, secrets)}\n`)
  }
  /** Lines of --verbose come in between, and say more. */
  const isSpinning = !settings.isQuiet && !settings.isVerbose && !isMachine(settings.format)

  const invocation: StartedRun = {
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
    note: async (line, content) => {
      if (!settings.isQuiet) await warn(line, content)
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
    hideKeys: (text) => withoutSecrets(text, keys),
    hideSecrets: (text) => withoutSecrets(text, secrets),
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
    const { account: resolved, warnings } = selectAccount(context, parts.input, isSending)
    // A dry run changes nothing, and the embedded sandbox has no profile.
    if (isSending && resolved.kind === 'service') closeOwnFolder(context.configFolder, context)
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
  const text = withoutSecrets(answer.text, keys)
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
