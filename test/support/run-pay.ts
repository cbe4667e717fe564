import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from '../../src/cli/run.ts'
import type { Context } from '../../src/cli/command/context.ts'
import { readFile, writeFile } from '../../src/cli/process/system.ts'
import type { ChoiceQuestion, Prompts, Question } from '../../src/cli/command/prompts-port.ts'
import { TREE } from '../../src/commands/tree.ts'
import { transportOver } from '../../src/http/in-process-transport.ts'
import type { HttpResponse, HttpRequest } from '../../src/http/transport-port.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { FileLedger } from '../../src/ledger/ledger.ts'
import type { Processes } from '../../src/ledger/files/owner.ts'
import { realDisk } from '../../src/ledger/files/real-disk.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'

export interface RunOptions {
  /** Answers by the label of the question; a confirmation by its whole sentence or as "Confirm". */
  readonly answers?: Readonly<Record<string, string | boolean>>
  /** Whether stdin, stdout and stderr are terminals. */
  readonly tty?: boolean
  /** Of the Node that the program is told to run on. */
  readonly nodeVersion?: string
  readonly columns?: number
  /** UTC unless said. */
  readonly timeZone?: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Answers requests in place of the sandbox and the network. */
  readonly service?: (request: HttpRequest, attempt: number) => Promise<HttpResponse> | HttpResponse
  /** What ending the connection to the service does. */
  readonly close?: () => Promise<void>
  /** Aborts as Ctrl-C would. */
  readonly signal?: AbortSignal
  /** What stands in for the ledger, as for what another process does in between. */
  readonly withLedger?: (ledger: FileLedger) => FileLedger
  /** What starting the program once more does. */
  readonly respawn?: Context['program']['respawn']
  /** Sees what is printed while the command is still running; what it throws is what the stream meets. */
  readonly onStdout?: (text: string) => void
}

export interface RunResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** Every request that was sent. */
  readonly requests: readonly HttpRequest[]
  /** The labels of the questions that were asked. */
  readonly questions: readonly string[]
  /** The lines to choose from, by the label of the question. */
  readonly offered: Readonly<Record<string, readonly string[]>>
}

export interface Bench {
  readonly runPay: (words: string | readonly string[], options?: RunOptions) => Promise<RunResult>
  readonly folder: string
  readonly configFolder: string
  readonly stateFolder: string
  /** What the clock shows; waits move it. */
  readonly clock: { now: Date }
  /** Waits that were asked for, in milliseconds. */
  readonly waits: readonly number[]
  readonly dispose: () => void
}

/** A world of its own for one test: folders, a clock that waiting moves, ids in sequence, the real sandbox. */
export function createBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'pay-test-'))
  const [configFolder, stateFolder] = [join(folder, 'config'), join(folder, 'state')]
  mkdirSync(configFolder, { mode: 0o700 })
  mkdirSync(stateFolder, { mode: 0o700 })
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
  const waits: number[] = []
  let ids = 0
  let seed = 1
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }

  async function runPay(words: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const requests: HttpRequest[] = []
    const questions: string[] = []
    const offered: Record<string, readonly string[]> = {}
    const kept = { stdout: '', stderr: '' }
    const never = new AbortController().signal
    const isTTY = options.tty ?? options.answers !== undefined
    const output = (name: 'stdout' | 'stderr') => ({
      isTTY,
      columns: isTTY ? (options.columns ?? 80) : undefined,
      write: async (text: string) => {
        if (name === 'stdout') options.onStdout?.(text)
        kept[name] += text
      },
    })
    const processes: Processes = {
      own: () => ({ pid: process.pid, startedAt: '1', machine: 'test-machine' }),
      isAlive: (pid) => pid === process.pid,
      startOf: () => '1',
    }
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
      now: () => clock.now,
      random,
      newId: () => {
        ids += 1
        return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`
      },
      sleep: async (ms) => {
        waits.push(ms)
        clock.now = new Date(clock.now.getTime() + ms)
      },
      interruption: { stop: options.signal ?? never, abandon: never },
      program: {
        pid: process.pid,
        nodeVersion: options.nodeVersion ?? '20.19.0',
        machine: 'test-machine',
        isAlive: (pid) => pid === process.pid,
        processes: async () => processes,
        respawn:
          options.respawn ?? (() => Promise.reject(new Error('this test does not start the program again'))),
      },
      userAgent: 'payctl/0.0.0-test',
      prompts: async () => scriptedPrompts(options.answers ?? {}, questions, offered),
      connect: async (account) => {
        const { service } = options
        if (service !== undefined) {
          return {
            close: options.close ?? (async () => {}),
            send: async (request) => {
              requests.push(request)
              return service(request, requests.length)
            },
          }
        }
        if (account.kind !== 'sandbox') throw new Error('this test has no service to talk to')
        const sandbox = await openSandbox({ folder: context.sandboxFolder, now: context.now, random })
        const transport = transportOver(sandbox, context)
        return {
          close: () => transport.close(),
          send: (request, sendOptions) => {
            requests.push(request)
            return transport.send(request, sendOptions)
          },
        }
      },
      ledger: async () => {
        const ledger = createLedger({
          // Nothing crashes here, and waiting for the disk is most of what a write costs.
          disk: { ...realDisk({ canSyncFolders: true }), sync: async () => {} },
          folder: join(stateFolder, 'ledger'),
          now: context.now,
          newId: context.newId,
          processes,
          wait: async () => {},
          user: () => 'tester',
          version: '0.0.0-test',
        })
        return options.withLedger?.(ledger) ?? ledger
      },
      readFile: (path, limitBytes) => readFile(resolve(folder, path), path, limitBytes),
      writeFile: (path, text) => writeFile(resolve(folder, path), path, text),
    }
    const exitCode = await run(TREE, typeof words === 'string' ? splitWords(words) : words, context)
    const unasked = Object.keys(options.answers ?? {}).filter((label) => !questions.includes(label))
    if (unasked.length > 0)
      throw new Error(`never asked: ${unasked.join(', ')}; asked: ${questions.join(', ')}\n${kept.stderr}`)
    return { exitCode, ...kept, requests, questions, offered }
  }

  return {
    runPay,
    folder,
    configFolder,
    stateFolder,
    clock,
    waits,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** An answer of the service, as JSON. */
export const jsonAnswer = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Questions answered from a table; one that is not in it fails the test. */
function scriptedPrompts(
  answers: Readonly<Record<string, string | boolean>>,
  questions: string[],
  offered: Record<string, readonly string[]>,
): Prompts {
  const used = new Set<string>()
  const take = (label: string): string | boolean => {
    const answer = answers[label]
    if (answer === undefined) throw new Error(`asked without an answer: ${label}`)
    if (used.has(label)) throw new Error(`asked twice: ${label}`)
    used.add(label)
    questions.push(label)
    return answer
  }
  const text = async (question: Question): Promise<string> => {
    const answer = String(take(question.label))
    const problem = question.check?.(answer)
    if (problem !== undefined) throw new Error(`the answer to ${question.label} was refused: ${problem}`)
    return answer
  }
  /** One of the choices, or what may be typed in place of one. */
  const choose = async ({ label, choices, freeText }: ChoiceQuestion): Promise<string> => {
    offered[label] = choices.map((choice) => choice.text)
    const answer = String(take(label))
    if (choices.some(({ value }) => value === answer)) return answer
    if (freeText === undefined) throw new Error(`the answer to ${label} is none of the choices`)
    return answer
  }
  return {
    text,
    secret: text,
    choose,
    confirm: async ({ sentence }) => take(Object.hasOwn(answers, sentence) ? sentence : 'Confirm') === true,
  }
}

function bytesOf(stdin: string | Uint8Array | undefined): Uint8Array {
  return typeof stdin === 'object' ? stdin : new TextEncoder().encode(stdin ?? '')
}

/** Splits as a shell does, for single and double quotes. */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  )
}
