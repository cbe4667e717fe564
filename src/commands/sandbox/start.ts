import { SANDBOX_PORT } from '../../api/sandbox-port.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result, Running } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readyServerView, pageUrls } from './server-views.ts'
import { FOLDER_FLAG } from './local-sandbox.ts'
import { isLocal, readServeOptions, argumentsFor } from './serve-options.ts'
import { messageOf, PayError, EXIT, interruptedBy } from '../../errors.ts'
import { checkPrivateFolder } from '../../files/private-folder.ts'
import { putInPlace, removeFile } from '../../files/replace-file.ts'
import { openSandbox } from '../../sandbox/sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { SANDBOX_KEYS } from '../../sandbox/domain/accounts.ts'
import {
  unregisterServer,
  makeServersFolder,
  registerServer,
  isReadyServer,
  isRegistered,
  logPath,
} from '../../sandbox/serve/registry.ts'
import type { ReadyServer, RegisteredServer } from '../../sandbox/serve/registry.ts'
import { pagesIn } from '../../sandbox/serve/pages.ts'
import { makeServerKeys } from '../../sandbox/serve/server-keys.ts'
import { startServer } from '../../sandbox/serve/server.ts'
import { makeEphemeralFolder, removeEphemeralFolder } from './ephemeral-folder.ts'
import type { ServeOptions } from './serve-options.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldAt } from '../../json/fields.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'start'],
  summary: 'Serve the sandbox over HTTP to any client',
  details: [
    'The server is ready when it prints its first line; with --json, that line is one JSON object. It runs until Ctrl-C, SIGTERM or pay sandbox stop, and finishes requests in progress before it ends.',
    'It shares its data with pay --sandbox and with other servers on the same folder. --background returns when the server is ready; -o id prints only the URL.',
  ].join('\n\n'),
  examples: [
    { purpose: 'run until Ctrl-C', line: 'pay sandbox start' },
    { purpose: 'run in the background on a free port', line: 'pay sandbox start --background --port 0' },
    { purpose: 'use separate data for one test run', line: 'pay sandbox start --ephemeral --port 0 --json' },
  ],
  flags: {
    port: { kind: 'count', value: 'N', help: `Port (default ${SANDBOX_PORT}); 0 takes any free one` },
    host: {
      kind: 'text',
      value: 'HOST',
      help: 'Address to listen on (default 127.0.0.1, this machine only); others need --allow-host',
    },
    'allow-host': {
      kind: 'texts',
      value: 'NAME',
      help: 'Host name that clients may use besides localhost; repeatable',
    },
    'allow-origin': {
      kind: 'texts',
      value: 'URL',
      help: 'Origin of a page that may show the checkout in a frame, besides those of this machine; repeatable',
    },
    data: { ...FOLDER_FLAG.data, help: 'Folder to serve (default: the one of pay --sandbox)' },
    ephemeral: { kind: 'switch', help: 'Serve a new folder and remove it at the end' },
    idempotency: {
      kind: 'text',
      value: 'STYLE',
      choices: ['reject', 'replay'],
      help: 'For a used idempotency key: reject (409, the default) or replay the first response',
    },
    background: { kind: 'switch', help: 'Return when the server is ready; pay sandbox stop ends it' },
  },
  run,
  risk: 'write',
  effect: 'Starts a server on this machine: no real money. End it with pay sandbox stop.',
  related: ['sandbox open', 'sandbox status', 'sandbox stop'],
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const options = readServeOptions(invocation)
  await invocation.noteSandbox()
  if (!isLocal(options.host))
    await invocation.warn(
      `Warning: other machines can reach ${options.host}. Anyone with one of the keys below can use and empty the sandbox. The keys are shown only once.`,
    )
  if (switchFlag(input, 'background'))
    return onSingleLine(
      resultOf(await serveInBackground(invocation, options), readyServerView('pay sandbox stop')),
    )
  const { ready, running } = await serveHere(invocation, options)
  return { ...onSingleLine(resultOf(ready, readyServerView('Ctrl-C, or pay sandbox stop'))), running }
}

/** Puts JSON on a single line, because programs read the first line and go on. */
const onSingleLine = (result: Result): Result => ({
  ...result,
  render: (presentation) =>
    result.render({
      ...presentation,
      format: presentation.format === 'json' ? 'ndjson' : presentation.format,
    }),
})

/** Serves the sandbox in this process, until a signal or `pay sandbox stop` ends it. */
async function serveHere(
  invocation: Invocation,
  options: ServeOptions,
): Promise<{ readonly ready: ReadyServer; readonly running: Running }> {
  const { context, warn } = invocation
  const data = await openData(invocation, options)
  const stopping = stopSignal(context.interruption.stop)
  const { host, idempotency } = options
  const about = { dataDir: data.folder, ephemeral: data.isEphemeral, idempotency, version: context.version }
  // The published keys aren't secret, so a server that other machines can reach has its own.
  const keys = isLocal(host)
    ? undefined
    : makeServerKeys(() => context.newId().replaceAll('-', ''), options.namedKey)
  const server = await startServer({
    ...options,
    keys,
    pages: pagesIn({ folder: context.program.pagesFolder(), allowedOrigins: options.allowedOrigins }),
    sandbox: data.sandbox,
    now: context.now,
    newId: context.newId,
    pid: context.program.pid,
    about,
    onStop: stopping.requestStop,
    onFailure: withoutRepeats((message) => void warn(`Warning: a request failed: ${message}`)),
  }).catch(async (error: unknown) => {
    await data.close()
    throw error
  })
  const { id, pid, url, port, startedAt } = server
  const entry = { id, pid, machine: context.program.machine, url, host, port, ...about, startedAt }
  // A named key is known to its user: it is neither printed nor written to the registry.
  const apiKeys =
    keys === undefined
      ? SANDBOX_KEYS.map(({ key }) => key)
      : [...keys.keys()].filter((key) => key !== options.namedKey)
  const registry = await register(
    invocation,
    keys === undefined ? entry : { ...entry, controlKey: apiKeys[0] },
  )
  return {
    ready: { ...entry, apiKeys, ...pageUrls(entry) },
    running: {
      ended: stopping.ended,
      stop: async () => {
        try {
          await server.close()
          await data.close()
        } finally {
          // Keep this last: `pay sandbox stop` waits for it.
          if (registry !== undefined) unregisterServer(registry, id)
        }
      },
    },
  }
}

interface Data {
  readonly sandbox: Sandbox
  readonly folder: string
  readonly isEphemeral: boolean
  readonly close: () => Promise<void>
}

async function openData({ context }: Invocation, { dataDir, idempotency }: ServeOptions): Promise<Data> {
  const isEphemeral = dataDir === undefined
  const folder = dataDir ?? makeEphemeralFolder()
  const { now, random, uid } = context
  checkPrivateFolder(folder, uid)
  const sandbox = await openSandbox({ folder, now, random, idempotency })
  const close = async () => {
    await sandbox.close()
    if (isEphemeral) removeEphemeralFolder(folder)
  }
  try {
    // Open the database now, so that a problem shows up before the first request.
    await sandbox.open()
  } catch (error) {
    await close()
    throw error
  }
  return { sandbox, folder, isEphemeral, close }
}

/** Resolves when the server should end: on a signal or a stop request. */
function stopSignal(stop: AbortSignal): { readonly ended: Promise<void>; readonly requestStop: () => void } {
  const stopRequest = new AbortController()
  const ended = new Promise<void>((resolve) => {
    for (const signal of [stop, stopRequest.signal]) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
  return { ended, requestStop: () => stopRequest.abort() }
}

/** Returns the registry folder; undefined if the server couldn't be registered, which doesn't stop it from serving. */
async function register({ context, warn }: Invocation, entry: RegisteredServer): Promise<string | undefined> {
  try {
    const folder = makeServersFolder(context.stateFolder)
    registerServer(folder, entry)
    return folder
  } catch (error) {
    const message = messageOf(error)
    await warn(`Warning: ${message}. pay sandbox status and pay sandbox stop will not find this server.`)
    return undefined
  }
}

/** Skips a message that repeats the one before: a full disk fails every request. */
function withoutRepeats(report: (message: string) => void): (error: unknown) => void {
  let last = ''
  return (error) => {
    const message = messageOf(error)
    if (message === last) return
    last = message
    report(
      error instanceof PayError && error.details.hint !== undefined
        ? `${message}. ${error.details.hint}`
        : message,
    )
  }
}

/** Starts a server that outlives this command and its terminal, and waits until it is ready. */
async function serveInBackground({ context }: Invocation, options: ServeOptions): Promise<ReadyServer> {
  const folder = makeServersFolder(context.stateFolder)
  const logFile = join(folder, `starting-${context.newId()}.log`)
  const { stop } = context.interruption
  const args = ['sandbox', 'start', ...argumentsFor(options), '--json', '--quiet']
  try {
    const line = await context.program.respawn(args, { logFile, signal: stop, isExpected: isReady })
    const ready = line === undefined ? undefined : readJson(line)
    if (isReadyServer(ready)) {
      keepLog(logFile, { folder, id: ready.id })
      return ready
    }
    const output = readFileSync(logFile, 'utf8')
    throw stop.aborted ? interruptedBy(stop, 'Interrupted: no server was left running.') : parseError(output)
  } finally {
    removeFile(logFile)
  }
}

const isReady = (line: string): boolean => isReadyServer(readJson(line))

/** Puts the log with the server's other files. A server that has already ended couldn't delete it, so it is removed. */
function keepLog(logFile: string, { folder, id }: { readonly folder: string; readonly id: string }): void {
  putInPlace(logFile, logPath(folder, id))
  if (!isRegistered(folder, id)) unregisterServer(folder, id)
}

/** Rebuilds the error that the server printed. */
function parseError(output: string): PayError {
  const lastLine = output.trimEnd().split('\n').at(-1) ?? ''
  const printed = fieldAt(readJson(lastLine), ['error'])
  const [code, message, hint, next] = ['code', 'message', 'hint', 'next'].map((field) =>
    fieldAt(printed, [field]),
  )
  const exitCode = Object.values(EXIT).find((known) => known === fieldAt(printed, ['exitCode']))
  if (typeof code !== 'string' || typeof message !== 'string' || exitCode === undefined)
    return new PayError('internal', EXIT.internal, 'The server ended before it was ready', {
      outcome: 'none',
      hint: lastLine === '' ? undefined : `Its last output: ${lastLine}`,
    })
  return new PayError(code, exitCode, message, {
    outcome: 'none',
    hint: typeof hint === 'string' ? hint : undefined,
    next: Array.isArray(next) ? next.filter((line) => typeof line === 'string') : undefined,
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
