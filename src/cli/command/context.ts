import type { Interruption } from '../../client/calls/client-port.ts'
import type { Transport } from '../../client/http/transport-port.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import type { Clocks } from '../../client/ledger/moment.ts'
import type { Processes } from '../../client/ledger/owner.ts'
import type { TeamStore } from '../../client/ledger/team/store.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import type { Paint } from '../../output/paint.ts'
import type { PromptOptions, Prompts } from './prompts-port.ts'

export interface Output {
  /** Resolves once the system has all of the text. A closed pipe is not an error. */
  readonly write: (text: string) => Promise<void>
  /** Whether the reader had closed the pipe at the last write. */
  readonly isClosed?: () => boolean
  readonly isTTY: boolean
  /** Width of the terminal in columns; undefined for a pipe. */
  readonly columns: number | undefined
  /** Height of the terminal in lines; undefined for a pipe. */
  readonly rows?: number | undefined
}

/** A shell command that shows the text on its stdin. */
export interface Pager {
  readonly command: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Input {
  readonly isTTY: boolean
  /** Reads to the end. Fails with a UsageError beyond the limit. */
  readonly read: (limitBytes: number) => Promise<Uint8Array>
  /** The input as it arrives. Ends on interruption, or on `end` if given. */
  readonly chunks: (end?: AbortSignal) => AsyncIterable<unknown>
}

/** This program as a process of the machine. */
export interface Program {
  readonly pid: number
  /** As in `process.platform`. */
  readonly platform: string
  /** The Node version, such as `22.13.0`. */
  readonly nodeVersion: string
  /** The machine or container. Process numbers are unique only within one. */
  readonly machine: string
  /**
   * Keeps the heap small from here on, for a command that reads for hours and keeps little. Costs a fifth of its time. `isFast`: lets
   * it grow to twice what is kept, and beyond that for new objects, which costs next to nothing.
   */
  readonly keepHeapSmall?: (how?: { readonly isFast: boolean }) => Promise<void>
  /** The folder of the sandbox's built web pages. */
  readonly pagesFolder: () => string
  /**
   * Opens an address in the user's browser. Rejects if no browser can be started. Other users of the machine can read the
   * address.
   */
  readonly openUrl: (url: string) => Promise<void>
  /**
   * Runs a command that prints an API key, once in a process: its stdin and stderr are the terminal's. Nothing that it prints
   * is shown. Rejects with `key_command_failed`.
   */
  readonly keyBy: (command: string, stop: AbortSignal) => Promise<string>
  /** Shows a text until the user closes the pager. Resolves to false, with nothing shown, if it can't be started. */
  readonly page: (text: string, pager: Pager) => Promise<boolean>
  /** The name of the user who runs it. */
  readonly user: () => string
  /** Whether a process with this number exists, under any user. */
  readonly isAlive: (pid: number) => boolean
  /** The running processes with their start times, which distinguish processes that reuse a number. */
  readonly processes: () => Promise<Processes>
  /**
   * Starts a second, detached process of this program with these arguments. It outlives this process and the terminal.
   * Resolves to the first line it prints, or to undefined if it ends before. Until then, the signal ends it, and so does
   * an unexpected line. Its stderr goes to the log file.
   */
  readonly respawn: (
    args: readonly string[],
    options: {
      readonly logFile: string
      readonly signal: AbortSignal
      readonly isExpected: (line: string) => boolean
    },
  ) => Promise<string | undefined>
}

/** Shown on stderr while waiting for a response. */
export interface Spinner {
  /** Erases the spinner so that a line can be written; it reappears below that line. */
  readonly erase: () => void
  readonly stop: () => void
}

/** What decides which ledger is used: an account, or only the ledger that the environment names. */
export type LedgerUser = Pick<Account, 'ledger'> & Partial<Account>

export interface ConnectOptions {
  readonly connections?: number
  /** Connects to a new sandbox in memory instead of the stored one. */
  readonly isFresh?: boolean
}

/** Everything a command may use of the outside world. `main.ts` builds the real one; tests build their own. */
export interface Context {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly configFolder: string
  readonly stateFolder: string
  /** The embedded sandbox's data. */
  readonly sandboxFolder: string
  /** The time zone for display; undefined means UTC. Finding out takes 13 ms, so call it only to show a time. */
  readonly timeZone: () => string | undefined
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: Input
  /** The user ID of this process; undefined on Windows. */
  readonly uid: number | undefined
  readonly now: () => Date
  /** What the clocks of this machine show. */
  readonly clocks: () => Clocks
  /** An unpredictable number from 0 up to 1. */
  readonly random: () => number
  readonly newId: () => string
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly interruption: Interruption
  /** Runs something with an interruption of its own: Ctrl-C then ends that and nothing later. */
  readonly interruptibly: <T>(act: (context: Context) => Promise<T>) => Promise<T>
  /** Whether the command runs at the desk, where every write needs a confirmation. */
  readonly isDesk?: true
  /** Called before the confirmation of a write, with a command line that includes what a person answered. */
  readonly onWholeLine?: (args: readonly string[]) => void
  readonly program: Program
  readonly userAgent: string
  /** Loads the prompts, which are drawn on stderr. */
  readonly prompts: (paint: Paint, options: PromptOptions) => Promise<Prompts>
  /** Starts a spinner. Absent if the cursor can't be moved. */
  readonly spin?: ((label: string) => Spinner) | undefined
  /** The identity of the embedded sandbox's data. Undefined for data of earlier versions, and without data unless `creates` is set. */
  readonly sandboxIdentity: (options: { readonly creates: boolean }) => Promise<string | undefined>
  /** Connects to the embedded sandbox or over the network, depending on the account. */
  readonly connect: (account: Account, options?: ConnectOptions) => Promise<Transport>
  /** The ledger of an account; without one, this machine's own. Loaded at first use. */
  readonly ledger: (account: LedgerUser | undefined) => Promise<WholeLedger>
  /** The database of a team's ledger, for the commands that set it up. */
  readonly teamStore: (
    choice: { readonly url: string; readonly id: string | undefined; readonly schema: string | undefined },
    options: { readonly account?: string; readonly hasTables?: boolean },
  ) => Promise<TeamStore>
  /** Closes the connections to ledgers. */
  readonly closeLedgers: () => void
  /** Reads a file. Fails with a UsageError beyond the limit. */
  readonly readFile: (path: string, limitBytes: number) => Uint8Array
  readonly writeFile: (path: string, text: string) => void
}
