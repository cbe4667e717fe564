import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../src/cli/run.ts'
import type { Context } from '../../src/cli/command/context.ts'
import { readFile, writeFile } from '../../src/cli/process/system.ts'
import { TREE } from '../../src/commands/tree.ts'
import { createInProcessTransport } from '../../src/client/http/in-process-transport.ts'
import { TransportFailure } from '../../src/client/http/transport-port.ts'
import type { HttpResponse, HttpRequest } from '../../src/client/http/transport-port.ts'
import { createLedgers } from '../../src/cli/account/open-ledger.ts'
import type { WholeLedger } from '../../src/client/ledger/ledger.ts'
import type { Processes } from '../../src/client/ledger/owner.ts'
import { ledgerPath } from '../../src/client/ledger/ledger-file.ts'
import { testStore } from './ledger-rows.ts'
import { sandboxIn } from '../../src/client/config/sandbox-url.ts'
import { identityIn } from '../../src/sandbox/database/database-file.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { scriptedPrompts } from './scripted-prompts.ts'
import type { Answers, Asked, PromptOptions, Prompts } from './scripted-prompts.ts'
import { removeFolder } from './remove-folder.ts'

/**
 * Runs a command in process, which is how behaviour is tested by default:
 *
 *     let bench: Bench
 *     beforeEach(() => { bench = createBench() })
 *     afterEach(() => bench.dispose())
 *
 *     test('asks for the amount when it is missing', async () => {
 *       const r = await bench.runPay('payment refund p1', {
 *         answers: { Amount: '5.00' }, // and `Confirm: true` on a live profile
 *         env: SERVICE_ENV,
 *         service: () => jsonAnswer(200, { id: 'p1', status: 'SETTLED', amount: 1000, currencyCode: 'EUR' }),
 *       })
 *       expect(r).toMatchObject({ exitCode: 0, questions: ['Amount'] })
 *       expect(r.requests.at(-1)?.body).toBe('{"amount":500}')
 *     })
 *
 * Who answers: `service`, or with `--sandbox` the real sandbox, which keeps its state for the whole bench. Without either, a
 * request fails the test. The accounts: `env: SERVICE_ENV` (error-envelope.ts) or `storeProfile` (stored-profile.ts).
 * A question without an answer fails the test, and so does an answer that no question asks for.
 */
export interface RunOptions {
  /** Answers by the label of each question; a confirmation by its sentence or as `Confirm`. Implies a terminal. */
  readonly answers?: Answers
  /** Whether stdin, stdout and stderr are terminals. By default only if there are answers. */
  readonly tty?: boolean
  /** The version of Node that the program believes it runs on. */
  readonly nodeVersion?: string
  /** Linux by default. */
  readonly platform?: string
  /** The size of the terminal; by default 80 columns and an unknown height. */
  readonly columns?: number
  readonly rows?: number
  readonly timeZone?: string
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Answers requests instead of the sandbox; `attempt` counts all requests from 1. May throw a TransportFailure. */
  readonly service?: (request: HttpRequest, attempt: number) => Promise<HttpResponse> | HttpResponse
  /** Called when the connection to the service is closed. */
  readonly close?: () => Promise<void>
  /** The signal whose abort has the effect of Ctrl-C. */
  readonly signal?: AbortSignal
  readonly prompts?: Prompts | ((options: PromptOptions) => Prompts)
  /** Wraps the ledger, for example to act as another process in between. */
  readonly withLedger?: (ledger: WholeLedger) => WholeLedger
  /** Replaces starting the program again and the browser. */
  readonly respawn?: Context['program']['respawn']
  readonly openUrl?: Context['program']['openUrl']
  readonly keyBy?: Context['program']['keyBy']
  readonly page?: Context['program']['page']
  /** Called with stdout while the command runs; if it throws, the write to stdout fails. */
  readonly onStdout?: (text: string) => void
}

export interface RunResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Every request that was sent. `[]` proves that nothing was. */
  readonly requests: readonly HttpRequest[]
  /** The labels of the questions that were asked, in order. */
  readonly questions: readonly string[]
  /** The rows of each choice, by the label of its question. */
  readonly offered: Readonly<Record<string, readonly string[]>>
}

export interface Bench {
  /** Runs a command line, split as a shell does, or separate arguments. */
  readonly runPay: (words: string | readonly string[], options?: RunOptions) => Promise<RunResult>
  /** The working folder, which holds the other two. */
  readonly folder: string
  readonly configFolder: string
  readonly stateFolder: string
  /** The time that commands see. Waits advance it; a test may set it. */
  readonly clock: { now: Date }
  /** Every wait in milliseconds. No test really waits. */
  readonly waits: readonly number[]
  /** Removes the folders. */
  readonly dispose: () => void
}

/**
 * Folders, a clock, ids in sequence and a sandbox for one test. Commands of one bench see each other's effects. `machine` is the
 * name of this one where real processes write the same ledger.
 */
export function createBench({ idsAfter = 0, machine = 'test-machine' } = {}): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'pay-test-'))
  const [configFolder, stateFolder] = [join(folder, 'config'), join(folder, 'state')]
  for (const path of [configFolder, stateFolder]) mkdirSync(path, { mode: 0o700 })
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
  const waits: number[] = []
  let [ids, seed] = [idsAfter, 1]
  let firstIdentity: string | undefined
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }

  async function runPay(words: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const requests: HttpRequest[] = []
    const writes = { sent: 0, accepted: 0 }
    const counted = async (request: HttpRequest, answer: () => Promise<HttpResponse>) => {
      if (request.method === 'GET') return answer()
      writes.sent += 1
      try {
        const response = await answer()
        if (response.status < 300) writes.accepted += 1
        return response
      } catch (error) {
        if (error instanceof TransportFailure && !error.sent) writes.sent -= 1
        throw error
      }
    }
    const asked: Asked = { questions: [], offered: {} }
    const kept = { stdout: '', stderr: '' }
    const never = new AbortController().signal
    const isTTY = options.tty ?? (options.answers ?? options.prompts) !== undefined
    const output = (name: 'stdout' | 'stderr') => ({
      isTTY,
      columns: isTTY ? (options.columns ?? 80) : undefined,
      rows: isTTY ? options.rows : undefined,
      write: async (text: string) => {
        if (name === 'stdout') options.onStdout?.(text)
        kept[name] += text
      },
    })
    const isAlive = (pid: number) => pid === process.pid
    const owner = { pid: process.pid, startedAt: '1', machine: 'test-machine' }
    const processes: Processes = { own: () => owner, isAlive, startOf: () => '1' }
    const now = () => clock.now
    const newId = () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`
    const program = { user: () => 'tester', version: '0.0.0-test', processes }
    const openLocal = async () => testStore(ledgerPath(stateFolder))
    const clocks = () => ({ wallMs: clock.now.getTime(), machine })
    const time = { now, clocks, monotonicMs: () => clock.now.getTime(), wait: async () => {} }
    const ledgers = createLedgers({
      env: options.env ?? {},
      platform: 'linux',
      home: undefined,
      newId,
      openLocal,
      ...time,
      ...program,
    })
    const context: Context = {
      version: '0.0.0-test',
      env: options.env ?? {},
      cwd: folder,
      configFolder,
      stateFolder,
      sandboxFolder: join(stateFolder, 'sandbox'),
      timeZone: () => options.timeZone,
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: {
        isTTY,
        read: async () => bytesOf(options.stdin),
        async *chunks() {
          yield bytesOf(options.stdin)
        },
      },
      uid: process.getuid?.(),
      now,
      clocks,
      random,
      newId,
      sleep: async (ms) => {
        waits.push(ms)
        clock.now = new Date(clock.now.getTime() + ms)
      },
      interruption: { stop: options.signal ?? never, abandon: never },
      program: {
        pid: process.pid,
        platform: options.platform ?? 'linux',
        nodeVersion: options.nodeVersion ?? '20.19.0',
        machine: 'test-machine',
        pagesFolder: () => fileURLToPath(new URL('../../dist/web', import.meta.url)),
        user: () => 'tester',
        isAlive,
        processes: async () => processes,
        page: options.page ?? (() => Promise.reject(new Error('this test passes no page'))),
        keyBy: options.keyBy ?? (() => Promise.reject(new Error('this test has no key command'))),
        openUrl: options.openUrl ?? (() => Promise.reject(new Error('no browser'))),
        respawn: options.respawn ?? (() => Promise.reject(new Error('this test passes no respawn'))),
      },
      userAgent: 'payctl/0.0.0-test',
      prompts: async (_, guard) => {
        const { prompts } = options
        if (typeof prompts === 'function') return prompts(guard)
        return prompts ?? scriptedPrompts(options.answers ?? {}, asked)
      },
      interruptibly: (act) => act(context),
      // The first data of a bench are as of an earlier version: many tests write the base URL by hand.
      sandboxIdentity: async ({ creates }) => {
        const sandbox = await openSandbox({ folder: context.sandboxFolder, now, random: () => 0 })
        if (creates && options.service === undefined) await sandbox.open()
        await sandbox.close()
        const identity = identityIn(context.sandboxFolder)
        firstIdentity ??= identity
        return identity === firstIdentity ? undefined : identity
      },
      connect: async (account, { isFresh = false } = {}) => {
        const { service } = options
        if (service !== undefined && !(isFresh && account.kind === 'sandbox')) {
          return {
            close: options.close ?? (async () => {}),
            send: async (request) => {
              requests.push(request)
              return counted(request, async () => service(request, requests.length))
            },
          }
        }
        if (account.kind !== 'sandbox') throw new Error('pass `service` or use --sandbox')
        const data = isFresh ? undefined : context.sandboxFolder
        const identity = sandboxIn(account.baseUrl.value)
        const sandbox = await openSandbox({ folder: data, now: context.now, random, identity })
        const transport = createInProcessTransport(sandbox, context)
        return {
          close: () => transport.close(),
          send: (request, sendOptions) => {
            requests.push(request)
            return counted(request, () => transport.send(request, sendOptions))
          },
        }
      },
      ...ledgers,
      ledger: async (account) => {
        const ledger = await ledgers.ledger(account)
        return options.withLedger?.(ledger) ?? ledger
      },
      readFile: (path, limitBytes) => readFile(resolve(folder, path), path, limitBytes),
      writeFile: (path, text) => writeFile(resolve(folder, path), path, text),
    }
    const exitCode = await run(TREE, typeof words === 'string' ? splitWords(words) : words, context)
    const unasked = Object.keys(options.answers ?? {}).filter((label) => !asked.questions.includes(label))
    if (unasked.length > 0)
      throw new Error(
        `never asked: ${unasked.join(', ')}; asked: ${asked.questions.join(', ')}\n${kept.stderr}`,
      )
    refuseFalseWords(`${kept.stdout}${kept.stderr}`, writes, String(words))
    return { exitCode, ...kept, requests, ...asked }
  }

  return {
    runPay,
    folder,
    configFolder,
    stateFolder,
    clock,
    waits,
    dispose: () => removeFolder(folder),
  }
}

/**
 * No command that has sent a write says that nothing was sent, and none whose write was accepted that nothing changed. Of several
 * writes, that may be said of one.
 */
function refuseFalseWords(
  output: string,
  { sent, accepted }: { readonly sent: number; readonly accepted: number },
  words: string,
): void {
  if (['--all', 'batch', 'desk'].some((word) => words.includes(word))) return
  if (sent > 0 && /nothing was sent/i.test(output))
    throw new Error(`says that nothing was sent, and sent ${sent}: ${words}\n${output}`)
  if (accepted > 0 && /nothing (?:was )?changed/i.test(output))
    throw new Error(`says that nothing changed, and ${accepted} were accepted: ${words}\n${output}`)
}

/** A JSON response of the service. */
export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const bytesOf = (stdin: string | Uint8Array = ''): Uint8Array =>
  typeof stdin === 'object' ? stdin : new TextEncoder().encode(stdin)

/** Splits a command line as a shell does: at spaces outside of single and double quotes. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
}
