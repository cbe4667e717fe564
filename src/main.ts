import { randomInt, randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { homedir, hostname, uptime, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { run } from './cli/run.ts'
import type { Context } from './cli/command/context.ts'
import { isOn } from './cli/parse/settings.ts'
import { startSpinner, createInput, createOutput, readFile, sleep, writeFile } from './cli/process/system.ts'
import { TREE } from './commands/tree.ts'
import { configFolder, stateFolder } from './client/config/paths.ts'
import type { Platform } from './client/config/paths.ts'
import { sandboxIn } from './client/config/sandbox-url.ts'
import { EXIT, messageOf, UsageError } from './errors.ts'
import type { Clocks } from './client/ledger/moment.ts'
import { machineName } from './client/ledger/owner.ts'
import type { Processes } from './client/ledger/owner.ts'
import { bootInProc, namespaceInProc, startInProc } from './client/ledger/process-start.ts'
import { safeText } from './output/safe-text.ts'
import { checkPrivateFolder } from './files/private-folder.ts'
import { VERSION } from './version.ts'
import { systemCode } from './files/system-code.ts'

/** The only file that uses `process`: builds the real Context and calls run(). */

const platform: Platform = {
  env: process.env,
  platform: process.platform,
  home: homeFolder(),
  get cwd() {
    return currentFolder()
  },
}
const newId = (): string => randomUUID()
const isPlain =
  process.env['TERM'] === 'dumb' || isOn(process.env['ACCESSIBLE']) || isOn(process.env['PAY_PLAIN'])
/** A random number from 0 up to 1. */
const random = (): number => randomInt(MOST_RANDOM) / MOST_RANDOM
const MOST_RANDOM = 2 ** 48 - 1

/** A clock for durations. `performance.now()` would load node:perf_hooks. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

let boot: string | undefined | null = null

function clocks(): Clocks {
  if (boot === null) boot = process.platform === 'linux' ? bootInProc() : undefined
  return {
    wallMs: Date.now(),
    machine: shared.program.machine,
    boot,
    upMs: uptime() * 1000,
  }
}

/** stdout and stderr, if they are terminals. Leaves out stdin, which its reader closes. */
const terminalFds = [1, 2].filter((fd) => isatty(fd))

interface Running {
  readonly stop: AbortController
  readonly abandon: AbortController
}

/** What is running: the program first, and last the command within it. */
const running: Running[] = []
function startRunning(): Running {
  const started = { stop: new AbortController(), abandon: new AbortController() }
  // A bulk run has many waits, and each adds a listener.
  setMaxListeners(0, started.stop.signal, started.abandon.signal)
  running.push(started)
  return started
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Ctrl-C ends what runs last; the others end everything.
  process.on(signal, () => interrupt(signal === 'SIGINT' ? running.slice(-1) : running, signal))
}
function interrupt(interrupted: readonly Running[], signal: string): void {
  for (const { stop, abandon } of interrupted) {
    if (stop.signal.aborted) abandon.abort(signal)
    stop.abort(signal)
  }
}

type OfRun = 'stdin' | 'interruption' | 'prompts' | 'interruptibly'
type Folder = 'cwd' | 'configFolder' | 'stateFolder' | 'sandboxFolder'

const sandboxFolder = (): string => join(stateFolder(platform), 'sandbox')

const shared: Omit<Context, OfRun | Folder> = {
  version: VERSION,
  env: process.env,
  timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  stdout: createOutput(process.stdout),
  stderr: createOutput(process.stderr),
  uid: process.getuid?.(),
  now: () => new Date(),
  clocks,
  random,
  newId,
  sleep,
  program: {
    pid: process.pid,
    platform: process.platform,
    nodeVersion: process.versions.node,
    keepHeapSmall: async (how = { isFast: false }) => {
      const { keepHeapSmall } = await import('./cli/process/programs.ts')
      keepHeapSmall(how)
    },
    get machine() {
      knownMachine ??= machineName({ platform: process.platform, hostName: hostname, localName })
      return knownMachine
    },
    pagesFolder: () => fileURLToPath(new URL('web', import.meta.url)),
    openUrl: async (url) => {
      const { openUrl } = await import('./cli/process/programs.ts')
      return openUrl(url)
    },
    keyBy: async (command, stop) => {
      const { keyBy } = await import('./cli/process/key-command.ts')
      return keyBy(command, stop)
    },
    page: async (text, pager) => {
      const { page } = await import('./cli/process/programs.ts')
      return page(text, pager, process.platform)
    },
    user: userName,
    isAlive,
    processes,
    respawn: async (args, options) => {
      const { respawn } = await import('./cli/process/programs.ts')
      const entry = [...process.execArgv, process.argv[1] ?? '']
      return respawn({ file: process.execPath, args: entry }, args, options)
    },
  },
  userAgent: `payctl/${VERSION} (${process.platform}; node ${process.versions.node})`,
  spin:
    isatty(2) && !isPlain
      ? (label) => startSpinner((text) => void process.stderr.write(text), label)
      : undefined,
  sandboxIdentity: async ({ creates }) => {
    checkStateFolders('sandbox')
    const folder = sandboxFolder()
    if (!creates) {
      const { identityIn } = await import('./sandbox/database/database-file.ts')
      return identityIn(folder)
    }
    const { openSandbox } = await import('./sandbox/sandbox.ts')
    const sandbox = await openSandbox({ folder, now: shared.now, random })
    try {
      return await sandbox.read(({ store }) => store.settings.identity())
    } finally {
      await sandbox.close()
    }
  },
  connect: async (account, { isFresh = false, ...options } = {}) => {
    if (account.kind === 'sandbox') {
      const { openSandbox } = await import('./sandbox/sandbox.ts')
      const { createInProcessTransport } = await import('./client/http/in-process-transport.ts')
      checkStateFolders('sandbox')
      const folder = isFresh ? undefined : sandboxFolder()
      const identity = sandboxIn(account.baseUrl.value)
      const sandbox = await openSandbox({ folder, now: shared.now, random, identity })
      return createInProcessTransport(sandbox, { sleep })
    }
    const { openTransport } = await import('./client/http/transport.ts')
    return openTransport({ env: process.env, monotonicMs, ...options })
  },
  ledger: async (account) => (await ledgers()).ledger(account),
  teamStore: async (...options) => (await ledgers()).teamStore(...options),
  closeLedgers: () => void opened?.then(({ closeLedgers }) => closeLedgers()),
  readFile: (path, limitBytes) => readFile(resolve(platform.cwd, path), path, limitBytes),
  writeFile: (path, text) => writeFile(resolve(platform.cwd, path), path, text),
}

type Ledgers = Pick<Context, 'ledger' | 'teamStore' | 'closeLedgers'>
let opened: Promise<Ledgers> | undefined

const wait = (ms: number): Promise<void> => sleep(ms, (running.at(-1) ?? startRunning()).abandon.signal)

const ledgers = (): Promise<Ledgers> => (opened ??= openLedgers())

async function openLedgers(): Promise<Ledgers> {
  const { createLedgers } = await import('./cli/account/open-ledger.ts')
  const program = { version: VERSION, user: userName, processes: await processes() }
  const time = { now: shared.now, monotonicMs, clocks, wait }
  const openLocal = async () => {
    const { fileStore, ledgerPath } = await import('./client/ledger/ledger-file.ts')
    checkStateFolders()
    return fileStore(ledgerPath(stateFolder(platform)), wait)
  }
  return createLedgers({ ...platform, newId, openLocal, ...time, ...program })
}

function contextOf({ stop, abandon }: Running): Context {
  return {
    ...shared,
    // Help needs none of them, and works without a home.
    get cwd() {
      return currentFolder()
    },
    get configFolder() {
      return configFolder(platform)
    },
    get stateFolder() {
      return stateFolder(platform)
    },
    get sandboxFolder() {
      return sandboxFolder()
    },
    stdin: createInput(() => process.stdin, stop.signal),
    interruption: { stop: stop.signal, abandon: abandon.signal },
    prompts: async (paint, options) => {
      const streams = { input: process.stdin, output: process.stderr }
      if (isPlain) {
        const { createPlainPrompts } = await import('./cli/prompts/plain-prompts.ts')
        return createPlainPrompts(streams, stop.signal, monotonicMs, options)
      }
      const { createPrompts } = await import('./cli/prompts/prompts.ts')
      return createPrompts(streams, stop.signal, paint, monotonicMs, options)
    },
    interruptibly: async (act) => {
      const own = startRunning()
      try {
        return await act(contextOf(own))
      } finally {
        running.splice(running.indexOf(own), 1)
      }
    },
  }
}

/**
 * Checks the state folder and the named folders in it.
 * @throws {UsageError} if other users can change one of them
 */
function checkStateFolders(...names: readonly string[]): void {
  const folder = stateFolder(platform)
  for (const path of [folder, ...names.map((name) => join(folder, name))])
    checkPrivateFolder(path, shared.uid)
}

void main()

async function processes(): Promise<Processes> {
  const { pid } = shared.program
  const { startOf, namespace } = await processStarts()
  const own = { pid, startedAt: startOf(pid), machine: shared.program.machine, namespace }
  return { own: () => own, isAlive, startOf }
}

async function processStarts(): Promise<{
  readonly startOf: Processes['startOf']
  readonly namespace?: string | undefined
}> {
  if (process.platform === 'win32') return { startOf: () => undefined }
  if (process.platform !== 'linux')
    return { startOf: (await import('./client/ledger/process-start-by-ps.ts')).startByPs }
  return { startOf: startInProc, namespace: namespaceInProc() }
}

/** The home folder; undefined in a container whose user the system doesn't know, unless HOME is set. */
function homeFolder(): string | undefined {
  try {
    return homedir()
  } catch {
    return undefined
  }
}

/** @throws {UsageError} `no_current_folder` if it was removed */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new UsageError('The current folder was removed, or you may not read it', {
      code: 'no_current_folder',
      outcome: 'none',
      hint: 'Change to another folder, and try again.',
      cause,
    })
  }
}

let knownMachine: string | undefined

/** The local name of macOS. */
function localName(): string | undefined {
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process')
    const printed = execFileSync('/usr/sbin/scutil', ['--get', 'LocalHostName'], { encoding: 'utf8' })
    return printed.trim() || undefined
  } catch {
    return undefined
  }
}

let knownUser: string | undefined

function userName(): string {
  knownUser ??= readUserName()
  return knownUser
}

/** The name of the user, or the number of the user ID, which may have no name in a container. */
function readUserName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return systemCode(error) === 'EPERM'
  }
}

/** Ends by SIGHUP if the terminal is gone, as other programs do. Node would abort at exit because it can't reset the terminal. */
function endWithTerminal(): void {
  if (terminalFds.every((fd) => isatty(fd))) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

/**
 * Interrupts a prompt that has lost its input. Ctrl-D closes stdin: the prompt would wait forever on an empty event loop, and
 * Node would exit with 0.
 */
function stopAtClosedInput(): void {
  interrupt(running, 'SIGINT')
}

async function main(): Promise<void> {
  process.once('beforeExit', stopAtClosedInput)
  try {
    process.exitCode = await run(TREE, process.argv.slice(2), contextOf(startRunning()))
  } catch (error) {
    // run() could not report the error itself, for example because writing failed.
    process.exitCode = EXIT.internal
    const words = messageOf(error)
    await shared.stderr.write(`Error: Unexpected error: ${safeText(words)}\n`).catch(() => undefined)
  }
  process.off('beforeExit', stopAtClosedInput)
  endWithTerminal()
}
