import { spawn, spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import type { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'vitest'
import { splitWords } from './run-pay.ts'
import { PAY } from './spawn-pay.ts'

/** Types keys once a text is on the screen, after the text of the previous step. */
export interface TerminalStep {
  readonly when: string
  /** The keys, typed as by a person: each Enter is a key of its own, after a pause. */
  readonly type?: string
  /** The keys that are sent at once, as a paste or a key that comes too early. */
  readonly paste?: string
  /** How long to wait before. */
  readonly afterMs?: number
}

export interface TerminalOptions {
  readonly steps?: readonly TerminalStep[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly columns?: number
  /** The words after the command in the shell: `> file`, `| cat`. */
  readonly after?: string
  /** The time after which the program is killed and the test fails with the screen; 50 s by default. */
  readonly timeoutMs?: number
}

export interface TerminalResult {
  readonly exitCode: number
  /** Everything that was written, without escape codes. */
  readonly screen: string
  /** Everything that was written. */
  readonly raw: string
}

export const ENTER = '\r'
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'
export const BACKSPACE = '\u007f'

/** Opens a pseudo-terminal without a package: with `script` of util-linux, or with Python. */
const driver = findDriver()

/** A test that needs a pseudo-terminal. Skipped, with a notice, on machines without one. */
export const terminalTest = driver === undefined ? test.skip : test

if (driver === undefined) {
  process.stderr.write(
    'SKIPPED: tests in a pseudo-terminal need script (util-linux) or python3, and this machine has neither.\n',
  )
}

/**
 * Runs the built program in a pseudo-terminal, which is its stdin, stdout and stderr.
 *
 *     const { exitCode, screen } = await payInTerminal('payment refund p1', {
 *       env: bench.env,
 *       steps: [{ when: 'Amount', type: `5.00${ENTER}` }, { when: '(y/N)', type: `y${ENTER}` }],
 *     })
 */
export function payInTerminal(
  words: string | readonly string[],
  options: TerminalOptions = {},
): Promise<TerminalResult> {
  const argv = [process.execPath, PAY, ...(typeof words === 'string' ? splitWords(words) : words)]
  return inTerminal(argv.map(quote).join(' '), options)
}

/** Runs a shell line in a pseudo-terminal. */
export async function inTerminal(line: string, options: TerminalOptions = {}): Promise<TerminalResult> {
  if (driver === undefined) throw new Error('this machine has no pseudo-terminal')
  const [file, ...args] = driver(
    `stty rows 40 cols ${options.columns ?? 100}; ${line}${options.after === undefined ? '' : ` ${options.after}`}`,
  )
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const waiting = [...(options.steps ?? [])]
  let raw = ''
  let seenTo = 0
  const look = (): void => {
    for (let step = waiting[0]; step !== undefined; step = waiting[0]) {
      const screen = stripVTControlCharacters(raw)
      const at = screen.indexOf(step.when, seenTo)
      if (at === -1) return
      waiting.shift()
      seenTo = at + step.when.length
      void send(child.stdin, step)
    }
  }
  child.stdin.on('error', () => {})
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      raw += text
      look()
    })
  }
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, options.timeoutMs ?? 50_000)
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)))
  })
  clearTimeout(deadline)
  const screen = stripVTControlCharacters(raw).replaceAll('\r\n', '\n')
  const left = waiting.map((step) => JSON.stringify(step.when)).join(', ')
  if (isLate) throw new Error(`it did not end${left === '' ? '' : `; still waiting for ${left}`}:\n${screen}`)
  if (left !== '') throw new Error(`it ended (${exitCode}) without showing ${left}:\n${screen}`)
  return { exitCode, screen, raw }
}

/** A pause that is longer than the time for which a prompt takes no Enter. */
const PAUSE_MS = 450

async function send(keyboard: Writable, { type = '', paste = '', afterMs = 0 }: TerminalStep): Promise<void> {
  await pause(afterMs)
  if (paste !== '') keyboard.write(paste)
  for (const keys of type.split(/(?=[\r\n])|(?<=[\r\n])/)) {
    if (/[\r\n]/.test(keys)) await pause(PAUSE_MS)
    keyboard.write(keys)
  }
}

/**
 * Runs the built program in a pseudo-terminal that is closed once `lost` resolves, like a window: the program gets SIGHUP,
 * and writing to the terminal fails. Resolves to the program's exit code.
 */
export async function payInLostTerminal(
  words: string | readonly string[],
  options: Pick<TerminalOptions, 'env' | 'cwd'> & { readonly lost: Promise<unknown> },
): Promise<number> {
  if (driver === undefined) throw new Error('this machine has no pseudo-terminal')
  const argv = [process.execPath, PAY, ...(typeof words === 'string' ? splitWords(words) : words)]
  // The shell forwards the signal, as shells do, and reports the exit code on a separate pipe.
  const [file, ...args] = driver(
    `trap 'kill -HUP $pid' HUP; ${argv.map(quote).join(' ')} & pid=$!; while wait $pid; code=$?; kill -0 $pid 2>&-; do :; done; echo $code >&3`,
  )
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  })
  const end = child.stdio[3]
  if (!(end instanceof Readable)) throw new Error('the child has no fourth pipe')
  const told = textOf(end)
  await options.lost
  child.kill('SIGKILL')
  return Number(await told)
}

type Driver = (line: string) => readonly [string, ...string[]]

function findDriver(): Driver | undefined {
  const script = spawnSync('script', ['--version'], { encoding: 'utf8' })
  if (script.status === 0 && script.stdout.includes('util-linux'))
    return (line) => ['script', '-qefc', line, '/dev/null']
  const python = spawnSync('python3', ['-c', 'import pty'])
  if (python.status !== 0) return undefined
  const program =
    'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["sh", "-c", sys.argv[1]])))'
  return (line) => ['python3', '-c', program, line]
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
