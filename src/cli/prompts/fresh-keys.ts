import { PassThrough } from 'node:stream'
import { interruptedBy } from '../../errors.ts'
import { QUIET_MS, REPEAT_MS } from '../command/prompts-port.ts'
import type { PromptStreams } from '../command/prompts-port.ts'

/** Filters the keys of a prompt, so that only a person who has seen it can answer it. */

const [CTRL_C, ESCAPE, BRACKETED, NOT_BRACKETED] = ['\u0003', '\u001B', '\u001B[?2004h', '\u001B[?2004l']

/**
 * Draws a prompt once no key has come for {@link QUIET_MS}, and discards all earlier keys. The streams that `ask` gets leave out
 * every Enter that comes too early or in a paste.
 */
export async function askAfterQuiet<T>(
  { input, output }: PromptStreams,
  {
    stop,
    clock,
    marksPastes = false,
  }: {
    readonly stop: AbortSignal
    readonly clock: () => number
    /** Whether to have the terminal mark what is pasted. */
    readonly marksPastes?: boolean
  },
  ask: (streams: PromptStreams) => Promise<T>,
): Promise<T> {
  const setRawMode = rawModeOf(input)
  const filter = createKeyFilter()
  // Without echo, and key by key.
  setRawMode?.(true)
  try {
    await quiet(input, stop, filter.skip)
    const keys = Object.assign(new PassThrough(), setRawMode === undefined ? {} : { setRawMode })
    const forward = (data: unknown) =>
      void keys.write(Buffer.from(filter.take(bytesOf(data), clock()), 'latin1'))
    const end = () => void keys.end()
    input.on('data', forward)
    input.on('end', end)
    // The library closes its reader at Ctrl-D. Then nothing keeps the process alive.
    keys.on('pause', () => void input.pause())
    if (marksPastes) output.write(BRACKETED)
    try {
      const answer = ask({ input: keys, output })
      filter.draw(clock())
      input.resume()
      return await answer
    } finally {
      input.off('data', forward)
      input.off('end', end)
      input.pause()
      if (marksPastes) output.write(NOT_BRACKETED)
    }
  } finally {
    setRawMode?.(false)
  }
}

/** Returns the function that sets raw mode; undefined if the stream is no terminal. */
export function rawModeOf(input: NodeJS.ReadableStream): ((isRaw: boolean) => void) | undefined {
  const set = 'setRawMode' in input ? input.setRawMode : undefined
  return typeof set === 'function' ? (isRaw) => void set.call(input, isRaw) : undefined
}

/** The bytes as text, with one character for each. */
const bytesOf = (data: unknown): string =>
  (Buffer.isBuffer(data) ? data : Buffer.from(String(data))).toString('latin1')

/** Resolves once no key has come for {@link QUIET_MS}. Leaves the input paused. */
function quiet(input: NodeJS.ReadableStream, stop: AbortSignal, skip: (read: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let last: NodeJS.Immediate | undefined
    const end = (settle: () => void) => {
      clearTimeout(timer)
      clearImmediate(last)
      input.off('data', onData)
      input.off('end', cancel)
      input.pause()
      stop.removeEventListener('abort', cancel)
      settle()
    }
    const cancel = () => end(() => reject(interruptedBy(stop)))
    const wait = () => {
      clearTimeout(timer)
      clearImmediate(last)
      // A busy process finds the time over before it sees the keys that came meanwhile.
      timer = setTimeout(() => {
        last = setImmediate(() => end(resolve))
      }, QUIET_MS)
    }
    const onData = (data: unknown): void => {
      const read = bytesOf(data)
      if (read.includes(CTRL_C)) return cancel()
      skip(read)
      wait()
    }
    stop.addEventListener('abort', cancel, { once: true })
    input.on('data', onData)
    input.on('end', cancel)
    input.resume()
    wait()
    if (stop.aborted) cancel()
  })
}

/** The part of an unfinished escape sequence, such as that of an arrow key, after its Escape. */
const UNFINISHED = /^(?:O[\d;]*|\[\[?[ -?]*)?$/
/** A byte that never begins a character in UTF-8. */
const CONTINUATION = /[\u0080-\u00BF]/
const ENTER = /[\r\n]/

/** Decides for every byte whether it reaches the prompt. */
export function createKeyFilter() {
  /** The escape sequence so far, without its Escape; undefined outside one. */
  let sequence: string | undefined
  let isPasting = false
  /** Whether these bytes continue what came before the prompt was drawn. */
  let isOld = true
  let drawnMs = Number.POSITIVE_INFINITY
  let lastEnterMs = Number.NEGATIVE_INFINITY
  const follow = (byte: string): void => {
    if (byte === ESCAPE) sequence = ''
    else if (sequence !== undefined) {
      sequence += byte
      if (sequence === '[200~') isPasting = true
      if (sequence === '[201~') isPasting = false
      if (!UNFINISHED.test(sequence)) sequence = undefined
    }
  }
  const continues = (byte: string): boolean => {
    if (isPasting) return true
    if (sequence === undefined) return CONTINUATION.test(byte)
    // Anything else after an Escape is a key of its own.
    return sequence !== '' || /[[O]/.test(byte)
  }
  const isAnswer = (read: string, atMs: number): boolean => {
    if (read.length > 1 || isPasting || sequence !== undefined) return false
    // A key that is held down repeats.
    const isRepeated = atMs - lastEnterMs < REPEAT_MS
    lastEnterMs = atMs
    return !isRepeated && atMs - drawnMs >= QUIET_MS
  }
  return {
    /** Follows the keys that came before the prompt was drawn. */
    skip: (read: string): void => {
      for (const byte of read) follow(byte)
    },
    draw: (atMs: number): void => {
      drawnMs = atMs
    },
    /** Returns what the prompt gets of one read. */
    take: (read: string, atMs: number): string => {
      let taken = ''
      for (const byte of read) {
        if (byte === CTRL_C) {
          taken += byte
          continue
        }
        if (isOld && !continues(byte)) {
          isOld = false
          sequence = undefined
        }
        const isTaken = !isOld && (!ENTER.test(byte) || isAnswer(read, atMs))
        follow(byte)
        if (isTaken) taken += byte
      }
      return taken
    },
  }
}
