import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'
import { givenKeyProblem, commandWords } from '../../client/config/api-key.ts'
import { EXIT, PayError, interruptedBy } from '../../errors.ts'
import { programPath } from '../../files/program-path.ts'
import { systemCode } from '../../files/system-code.ts'

/** The commands that ran, with their keys. */
const ran = new Map<string, Promise<string>>()

/** The `keyBy` of a real Context: see {@link Program}. */
export function keyBy(command: string, stop: AbortSignal): Promise<string> {
  const known = ran.get(command)
  if (known !== undefined) return known
  const key = runFor(command, stop)
  ran.set(command, key)
  // At the desk, Ctrl-C ends one command, and not the process.
  key.catch(() => stop.aborted && ran.delete(command))
  return key
}

const LIMIT_MS = 30_000
/** How long to wait for the rest of the output once the program has ended, and for its end once it was told to. */
const GRACE_MS = 1_000
const MAX_BYTES = 8 * 1024

async function runFor(command: string, stop: AbortSignal): Promise<string> {
  const [program = '', ...args] = commandWords(command)
  if (stop.aborted) throw interruptedBy(stop)
  const terminal = openTerminal()
  let child: ChildProcess
  try {
    child = spawn(programPath(program), args, {
      stdio: [terminal.input, 'pipe', terminal.output],
      windowsHide: true,
    })
  } catch (error) {
    throw failed(whyNotStarted(error))
  } finally {
    terminal.close()
  }
  const output = await outputOf(child, stop)
  const key = output.replace(/\r?\n?$/, '')
  const problem = givenKeyProblem(key)
  if (problem !== undefined) throw failed(`printed no key: its output ${problem}`)
  return key
}

/** What the program prints, if it ends well in time. */
function outputOf(child: ChildProcess, stop: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  let why: Error | undefined
  const timers: NodeJS.Timeout[] = []
  const after = (ms: number, act: () => void) => void timers.push(setTimeout(act, ms))
  const end = (reason: Error) => {
    why ??= reason
    // A program that asks on the terminal gets the time to restore it.
    child.kill('SIGTERM')
    after(GRACE_MS, () => child.kill('SIGKILL'))
  }
  const onStop = () => end(interruptedBy(stop))
  stop.addEventListener('abort', onStop, { once: true })
  if (stop.aborted) onStop()
  after(LIMIT_MS, () => end(failed(`didn't end within ${LIMIT_MS / 1000} s`)))
  child.stdout?.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > MAX_BYTES) end(failed('printed too much for a key'))
    else chunks.push(chunk)
  })
  return new Promise<string>((resolve, reject) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      if (why !== undefined) reject(why)
      else if (signal === 'SIGINT') reject(interruptedBy(stop))
      else if (signal !== null) reject(failed(`was ended by ${signal}`))
      else if (code !== 0) reject(failed(`ended with exit code ${code ?? 'unknown'}`))
      else resolve(Buffer.concat(chunks).toString('utf8'))
    }
    child.on('error', (error) => reject(failed(whyNotStarted(error))))
    child.on('close', finish)
    // Something that it has left running may keep its output open.
    child.on('exit', (code, signal) => after(GRACE_MS, () => finish(code, signal)))
  }).finally(() => {
    for (const timer of timers) clearTimeout(timer)
    stop.removeEventListener('abort', onStop)
    child.stdout?.destroy()
  })
}

function whyNotStarted(error: unknown): string {
  const code = systemCode(error)
  return code === 'ENOENT'
    ? "can't be started: there is no such program"
    : `can't be started (${code ?? 'unknown reason'})`
}

/** The error never has what the program printed. */
const failed = (what: string): PayError =>
  new PayError('key_command_failed', EXIT.auth, `The command for the API key ${what}`, {
    outcome: 'none',
    retryable: true,
    hint: 'Nothing was sent. Run the command yourself: pay profile show names it.',
  })

interface Terminal {
  readonly input: number | 'ignore'
  readonly output: number | 'ignore'
  readonly close: () => void
}

/** The terminal, whatever stdin and stderr are: a file of rows on stdin is not for the command, and its messages not for a log. */
function openTerminal(): Terminal {
  try {
    const input = openSync('/dev/tty', 'r')
    const output = openSync('/dev/tty', 'w')
    const close = () => {
      closeSync(input)
      closeSync(output)
    }
    return { input, output, close }
  } catch {
    // Windows, or no terminal.
    return { input: ifTerminal(0), output: ifTerminal(2), close: () => {} }
  }
}

const ifTerminal = (fd: 0 | 2) => (isatty(fd) ? fd : ('ignore' as const))
