import { restrictConfigFolder } from '../config/restrict-folder.ts'
import type { Account } from '../config/resolve-account.ts'
import { UsageError } from '../errors.ts'
import { createClient } from '../calls/client.ts'
import type { Answer } from '../calls/call.ts'
import type { Client } from '../calls/client-port.ts'
import type { Transport } from '../http/transport-port.ts'
import { parseJson } from '../json/json.ts'
import { colorPaint, plainPaint, shouldColor } from '../output/paint.ts'
import type { Paint } from '../output/paint.ts'
import { redactText, removeSecrets } from '../output/redact.ts'
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

/** Announce waits from this length on: without a message the program seems to hang. */
const LONG_WAIT_MS = 3_000

/** Whether to redact this API key in results too. A short or numeric one may occur in a result by chance. */
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
    !settings.neverAsks &&
    !isMachine(settings.format)
  const announceWait = () =>
    void warn(
      `Interrupted: waiting up to ${Math.ceil(settings.timeoutMs / 1000)} s for the response. Interrupt again to stop waiting; the outcome is then unknown.`,
    )
  let spinner: Spinner | undefined
  const warn = (line: string, content: MessageContent = 'text') => {
    spinner?.erase()
    return context.stderr.write(`${(content === 'ids' ? removeSecrets : redactText)(line, secrets)}\n`)
  }
  /** With --verbose, lines per attempt take the place of the spinner. */
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
        stop.removeEventListener('abort', announceWait)
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
      // Each time in a list asks for it, and finding out takes 70 µs.
      get timeZone() {
        return (timeZone ??= context.timeZone())
      },
    }),
    keepSecret: (value) => {
      if (value.length > 3) secrets.push(value)
    },
    hideKeys: (text) => removeSecrets(text, keys),
    hideSecrets: (text) => removeSecrets(text, secrets),
    cleanText: (text) => safeText(redactText(text, secrets)),
    reportAttempt: (log) => {
      if (!settings.isVerbose) return
      for (const line of attemptLines(log, { isDebug: settings.isDebug, secrets }))
        void context.stderr.write(`${line}\n`)
    },
    close: async () => {
      for (const connection of connections) {
        // A connection that failed to open has already been reported.
        const opened = await connection.catch(() => undefined)
        await opened?.close()
      }
    },
  }
  return invocation

  async function openAccount(): Promise<Account> {
    const isSending = settings.mode === 'send'
    const { account: resolved, warnings } = selectAccount(context, parts.input, isSending)
    // A dry run changes nothing, not even permissions; the embedded sandbox needs no profile.
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
    // Check again here: `clientOf` connects to other accounts than the run's.
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
      // Only writes use the ledger, so a read does not load it.
      ledger: {
        begin: async (...intent) => {
          const open = await (await context.ledger()).begin(...intent)
          // From here on a signal waits for the response. Before, it ends the command at once.
          context.interruption.stop.addEventListener('abort', announceWait, { once: true })
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

async function paintFor(context: Context, settings: Settings, stream: 'stdout' | 'stderr'): Promise<Paint> {
  if (stream === 'stdout' && isMachine(settings.format)) return plainPaint
  return shouldColor({ flag: settings.color, env: context.env, isTTY: context[stream].isTTY })
    ? colorPaint()
    : plainPaint
}
