import { repeatedKeyIn } from '../json/json.ts'
import { colorPaint, plainPaint, shouldColor } from '../output/paint.ts'
import type { Paint } from '../output/paint.ts'
import { redactText, removeSecrets } from '../output/redact.ts'
import { safeText } from '../output/safe-text.ts'
import { wrapWords } from '../output/wrap.ts'
import type { Context } from './command/context.ts'
import type { CommandInput } from './command/input.ts'
import type { MessageContent, Messages } from './command/invocation.ts'
import { isMachine } from './command/settings.ts'
import type { Settings } from './command/settings.ts'
import type { CommandRun, CommandSpec } from './command/spec.ts'
import { attemptLines } from './report/attempt-lines.ts'
import type { AttemptLog } from '../client/calls/attempt.ts'

/** What to start a run with. */
export interface RunParts {
  readonly context: Context
  readonly spec: CommandSpec
  readonly input: CommandInput
  readonly settings: Settings
}

/** The secrets found so far: `all` are removed from messages, and API keys from results too. */
export interface FoundSecrets {
  readonly all: string[]
  readonly keys: string[]
}

export type RunMessages = Messages & Pick<CommandRun, 'hideKeys' | 'reportAttempt'>

/** The messages of a run, without the secrets found so far. */
export function createMessages(
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
      // Each time in a list asks for it, and finding out takes 70 µs.
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

export async function paintFor(
  context: Context,
  settings: Settings,
  stream: 'stdout' | 'stderr',
): Promise<Paint> {
  if (stream === 'stdout' && isMachine(settings.format)) return plainPaint
  return shouldColor({ flag: settings.color, env: context.env, isTTY: context[stream].isTTY })
    ? colorPaint()
    : plainPaint
}

/** In characters; a header may have 16,000. */
const MAX_LENGTH = 1_000

/**
 * The warning about what the service has ignored in a request: fields and parameters that its API version doesn't know.
 * Undefined without any that an earlier warning doesn't name. `told` has the names of earlier warnings.
 */
function warnOfIgnored({ ended }: AttemptLog, told: Set<string>): string | undefined {
  if (ended.kind === 'failure') return undefined
  const header = ended.answer.headers['x-sandbox-ignored']?.slice(0, MAX_LENGTH)
  const names = (header ?? '').split(',').map((name) => name.trim())
  const others = names.filter((name) => name !== '' && !told.has(name))
  if (others.length === 0) return undefined
  for (const name of others) told.add(name)
  return `Warning: The service doesn't know parts of the request under this API version and has ignored them: ${others.join(', ')}`
}

/** The warning about a field that is there twice in a response, where only the last one is shown. */
function warnOfRepeated({ ended }: AttemptLog, told: Set<string>): string | undefined {
  if (ended.kind === 'failure' || ended.answer.status >= 300) return undefined
  const key = repeatedKeyIn(ended.answer.body)?.slice(0, MAX_LENGTH)
  if (key === undefined || told.has(key)) return undefined
  told.add(key)
  return `Warning: The response has the field ${JSON.stringify(key)} twice in one object, with different values; the last one is shown.`
}
