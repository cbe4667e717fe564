import { spawn, spawnSync } from 'node:child_process'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { test } from 'vitest'
import { splitWords } from './run-pay.ts'
import { PAY } from './spawn-pay.ts'

/** Typed when the words are on the screen, after those of the step before. */
export interface TerminalStep {
  readonly when: string
  readonly type: string
}

export interface TerminalOptions {
  readonly steps?: readonly TerminalStep[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly columns?: number
  /** What follows the command in the shell: `> file`, `| cat`. */
  readonly after?: string
  /** After this it is ended, and the test fails with what the screen shows. */
  readonly timeoutMs?: number
}

export interface TerminalResult {
  readonly exitCode: number
  /** All that was written, without colours and movements of the cursor. */
  readonly screen: string
  /** As it was written. */
  readonly raw: string
}

export const ENTER = '\r'
export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'
export const BACKSPACE = '\u007f'

/** How a pseudo-terminal is had on this machine: by util-linux's `script`, or by Python. No package is needed. */
const driver = findDriver()

/** A test that needs a pseudo-terminal; where there is none it is skipped, and says so. */
export const terminalTest = driver === undefined ? test.skip : test

if (driver === undefined) {
  process.stderr.write(
    "SKIPPED: tests in a pseudo-terminal need util-linux's script, or python3. Neither is here.\n",
  )
}

/** Runs the built program in a pseudo-terminal: stdin, stdout and stderr are all one. */
export function payInTerminal(
  words: string | readonly string[],
  options: TerminalOptions = {},
): Promise<TerminalResult> {
  const argv = [process.execPath, PAY, ...(typeof words === 'string' ? splitWords(words) : words)]
  return inTerminal(argv.map(quote).join(' '), options)
}

/** Runs a line of shell in a pseudo-terminal and answers what it asks. */
export async function inTerminal(line: string, options: TerminalOptions = {}): Promise<TerminalResult> {
  if (driver === undefined) throw new Error('there is no pseudo-terminal on this machine')
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
      child.stdin.write(step.type)
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

/**
 * Runs the built program in a pseudo-terminal that goes away, as a window that is closed: SIGHUP, and nothing can be
 * written to it any longer. Resolves to the program's exit code when it has ended.
 */
export async function payInLostTerminal(
  words: string | readonly string[],
  options: Pick<TerminalOptions, 'env' | 'cwd'> & { readonly lost: Promise<unknown> },
): Promise<number> {
  if (driver === undefined) throw new Error('there is no pseudo-terminal on this machine')
  const argv = [process.execPath, PAY, ...(typeof words === 'string' ? splitWords(words) : words)]
  // The shell hands the signal on, as shells do, and tells on a pipe of its own how the program ended.
  const [file, ...args] = driver(
    `trap 'kill -HUP $pid' HUP; ${argv.map(quote).join(' ')} & pid=$!; while wait $pid; code=$?; kill -0 $pid 2>&-; do :; done; echo $code >&3`,
  )
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...options.env },
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  })
  const end = child.stdio[3]
  if (!(end instanceof Readable)) throw new Error('there is no pipe beside the terminal')
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
