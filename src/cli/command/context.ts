import type { AttemptLog } from '../../calls/attempt.ts'
import type { Interruption } from '../../calls/call.ts'
import type { Transport } from '../../http/transport-port.ts'
import type { FileLedger } from '../../ledger/ledger.ts'
import type { Processes } from '../../ledger/files/owner.ts'
import type { Account } from '../../config/resolve-account.ts'
import type { Paint } from '../../output/paint.ts'
import type { Prompts } from './prompts-port.ts'

export type { AttemptLog }

export interface Output {
  /** Resolves when the text is handed to the system whole; a closed pipe is no error. */
  readonly write: (text: string) => Promise<void>
  readonly isTTY: boolean
  /** Width in columns of a terminal; undefined for a pipe. */
  readonly columns: number | undefined
}

export interface Input {
  readonly isTTY: boolean
  /** Everything up to the limit; more is an error of the caller's choice. */
  readonly read: (limitBytes: number) => Promise<Uint8Array>
  /** As it comes; a signal ends it, or what is given in its place. */
  readonly chunks: (end?: AbortSignal) => AsyncIterable<unknown>
}

/** This program itself, as the machine runs it. */
export interface Program {
  readonly pid: number
  /** Of the Node that runs it: `22.13.0`. */
  readonly nodeVersion: string
  /** Where it runs: on another machine, or in another container, process numbers mean other processes. */
  readonly machine: string
  /** Whether there is a process of that number: not whose it is. */
  readonly isAlive: (pid: number) => boolean
  /** The same with the time at which each started, which tells two of one number apart. */
  readonly processes: () => Promise<Processes>
  /**
   * Starts it once more with these words, apart from this run of it and from the terminal, both of which it outlives.
   * Resolves to the first line that it prints, or to undefined when it ends without one; until then the signal ends it,
   * and so does a line that is not what it is to print. What it says on stderr goes to the file.
   */
  readonly respawn: (
    words: readonly string[],
    options: {
      readonly logFile: string
      readonly signal: AbortSignal
      readonly isExpected: (line: string) => boolean
    },
  ) => Promise<string | undefined>
}

/** Shown on stderr while an answer is waited for. */
export interface Spinner {
  /** Takes it away for a line that is to be written; it comes back below. */
  readonly erase: () => void
  readonly stop: () => void
}

/** All that a command may touch of the world. `main.ts` builds the real one, tests another. */
export interface Context {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly configFolder: string
  readonly stateFolder: string
  /** The embedded sandbox's data. */
  readonly sandboxFolder: string
  /** The zone that people read times in; undefined means UTC. Asking costs 13 ms, so only where a time is shown. */
  readonly timeZone: () => string | undefined
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: Input
  /** The user of this process; undefined where there is none, as on Windows. */
  readonly uid: number | undefined
  readonly now: () => Date
  /** 0 to 1, unpredictable. */
  readonly random: () => number
  readonly newId: () => string
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly interruption: Interruption
  readonly program: Program
  readonly userAgent: string
  /** Drawn on stderr; loaded when first asked for. */
  readonly prompts: (paint: Paint) => Promise<Prompts>
  /** Absent where the position isn't needed, or where the cursor can't be moved. */
  readonly spin?: ((words: string) => Spinner) | undefined
  /** The embedded sandbox or the network, as the account says. */
  readonly connect: (account: Account, options?: { readonly connections: number }) => Promise<Transport>
  /** Loaded by what writes. */
  readonly ledger: () => Promise<FileLedger>
  /** Reads a file up to the limit. */
  readonly readFile: (path: string, limitBytes: number) => Uint8Array
  readonly writeFile: (path: string, text: string) => void
}
