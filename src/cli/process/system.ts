import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { getSystemErrorMap } from 'node:util'
import { readAtMost } from '../../files/private-file.ts'
import { interruptedBy, messageOf, UsageError } from '../../errors.ts'
import { systemCode } from '../../files/system-code.ts'
import type { Input, Output, Spinner } from '../command/context.ts'

/** The streams, files, waits and spinner of a real Context. */

/** Wraps stdout or stderr. A write resolves once the system has all of the text. */
export function createOutput(stream: NodeJS.WriteStream & { readonly fd: 1 | 2 }): Output {
  const isTTY = isatty(stream.fd)
  // The failed write reports the error. Without a listener, the error event would end the program.
  stream.on('error', () => {})
  let isClosed = false
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (text === '' || stream.destroyed) return resolve()
        stream.write(text, (error) => {
          // A reader may close the pipe once it has seen enough. That is not an error.
          isClosed ||= systemCode(error) === 'EPIPE'
          const isFailure = error instanceof Error && !isClosed
          // If stderr can't be written, there is nowhere to report it.
          if (isFailure && stream.fd === 1) reject(error)
          else resolve()
        })
      }),
    isClosed: () => isClosed,
    isTTY,
    get columns() {
      return isTTY ? columnsOf(stream.columns) : undefined
    },
    get rows() {
      return isTTY && stream.rows > 0 ? stream.rows : undefined
    },
  }
}

const USUAL_COLUMNS = 80

/** The width to lay out for. Some terminals report 0 columns because their size was never set: serial lines, containers, remote shells. */
export const columnsOf = (reported: number | undefined): number =>
  reported === undefined || reported <= 0 ? USUAL_COLUMNS : reported

/** Wraps stdin, opened at first use. Aborting `stop` ends a read. */
export function createInput(open: () => NodeJS.ReadStream, stop: AbortSignal): Input {
  return {
    isTTY: isatty(0),
    chunks: (ended) => chunksOf(open(), ended ?? stop),
    read: async (limitBytes) => {
      const stream = open()
      const end = () => stream.destroy()
      stop.addEventListener('abort', end, { once: true })
      if (stop.aborted) end()
      try {
        return await readAll(stream, limitBytes)
      } catch (error) {
        throw stop.aborted ? interruptedBy(stop) : error
      } finally {
        stop.removeEventListener('abort', end)
      }
    },
  }
}

/** Closes the stream when the consumer stops, so that the writer notices. */
async function* chunksOf(stream: NodeJS.ReadStream, ended: AbortSignal): AsyncGenerator {
  const end = () => stream.destroy()
  ended.addEventListener('abort', end, { once: true })
  if (ended.aborted) end()
  try {
    yield* stream
  } catch (error) {
    if (!ended.aborted) throw error
  } finally {
    ended.removeEventListener('abort', end)
  }
}

async function readAll(stream: NodeJS.ReadStream, limitBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    const bytes = chunk instanceof Uint8Array ? chunk : Buffer.from(String(chunk))
    size += bytes.length
    if (size > limitBytes) throw tooLarge('stdin', limitBytes)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

/** Reads a whole file. `path` is absolute; errors name `typedPath`. */
export function readFile(path: string, typedPath: string, limitBytes: number): Uint8Array {
  try {
    const { stats, bytes } = readAtMost(path, limitBytes)
    if (stats.isDirectory()) throw unreadable(typedPath, 'it is a folder')
    if (bytes === undefined) throw tooLarge(typedPath, limitBytes)
    return bytes
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(typedPath, describeSystemError(error), error)
  }
}

export function writeFile(path: string, typedPath: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    throw new UsageError(`${typedPath} cannot be written: ${describeSystemError(error)}`, {
      code: 'unwritable_file',
      cause: error,
    })
  }
}

const tooLarge = (where: string, limitBytes: number): UsageError =>
  new UsageError(`${where} contains more than ${Math.round(limitBytes / 1024)} KB`, { code: 'too_large' })

const unreadable = (path: string, why: string, cause?: unknown): UsageError =>
  new UsageError(`${path} cannot be read: ${why}`, { code: 'unreadable_file', cause })

/** Describes a system error: `no such file or directory`. Node's own message adds the code and the path, which our error has already. */
function describeSystemError(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error ? Number(error.errno) : 0
  return getSystemErrorMap().get(errno)?.[1] ?? messageOf(error)
}

/** Waits until the time is up or the signal aborts. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined)

/** How long to wait before showing anything: most responses arrive earlier. */
const DELAY_MS = 400
const FRAME_MS = 120
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const ERASE_LINE = '\r\u001b[K'

/** Shows an animated line with the elapsed time while waiting for a response, and erases it at the end. */
export function startSpinner(write: (text: string) => void, label: string): Spinner {
  let frame = 0
  let isShown = false
  let timer: NodeJS.Timeout | undefined
  const erase = (): void => {
    if (isShown) write(ERASE_LINE)
    isShown = false
  }
  const draw = (): void => {
    const seconds = Math.floor((DELAY_MS + frame * FRAME_MS) / 1000)
    write(`${ERASE_LINE}${FRAMES[frame % FRAMES.length]} ${label}…${seconds === 0 ? '' : ` ${seconds} s`}`)
    isShown = true
    frame += 1
  }
  timer = setTimeout(() => {
    draw()
    timer = setInterval(draw, FRAME_MS).unref()
  }, DELAY_MS).unref()
  return {
    erase,
    stop: () => {
      clearTimeout(timer)
      erase()
    },
  }
}
