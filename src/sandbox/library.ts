/// <reference lib="esnext.disposable" preserve="true" />
// `payctl/sandbox`, the sandbox for tests of other programs. Like main.ts, it uses the process, the clock and randomness.
import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect, types } from 'node:util'
import { checkPrivateFolder } from '../files/private-folder.ts'
import { advanceTime } from './controls/clock.ts'
import { readAdvance, readMethodToTokenize, readNewFault } from './controls/inputs.ts'
import { tokenize } from './controls/customer.ts'
import { readTables, replaceTables } from './database/tables.ts'
import { SANDBOX_KEYS } from './domain/accounts.ts'
import { makeIdentifiers } from './domain/identifiers.ts'
import { matchesPattern, readPattern } from './faults/pattern.ts'
import type { LoggedDetails } from './log/logged-request.ts'
import { randomFor } from './pipeline/handle-request.ts'
import { lazySchema, z } from '../api/schema.ts'
import { field, readFields } from './request/fields.ts'
import { openSandbox } from './sandbox.ts'
import { pagesIn } from './serve/pages.ts'
import { startServer } from './serve/server.ts'
import { TABLES_VERSION } from './database/tables.ts'
import { VERSION } from '../version.ts'

export interface SandboxOptions {
  /** The sandbox's time, which then stands still until you advance it. By default, this machine's clock. */
  clock?: string | Date
  /** The same seed and clock give the same IDs, dates and tokens. By default, a random one. */
  seed?: number
  /** Keeps the data in this folder. By default, it is in memory. */
  folder?: string
}

/** A payment service of its own. It runs until you close it, or your process ends. */
export interface Sandbox extends AsyncDisposable {
  /** The URL at which the service listens, on a free port of this machine. */
  url: string
  /** The API key to give to your code. */
  apiKey: string
  /** Calls the service as global `fetch` does, with the API key and the API version. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Makes requests fail, as networks and services do. */
  faults: {
    /** For example `{ on: 'POST /payments/*\/refund', do: 'drop-after', times: 1 }`. */
    add(fault: {
      on: string
      do: string
      times?: number
      skip?: number
      rate?: number
      seed?: number
    }): Promise<void>
    clear(): Promise<void>
  }
  clock: {
    now(): Promise<Date>
    /** Moves the clock forward, such as by `'2h'`, and does what is due by then. */
    advance(duration: string): Promise<Date>
  }
  /** The requests that arrived, oldest first. */
  requests(filter?: { on?: string }): Promise<
    {
      method: string
      path: string
      /** 0 if a fault left the request without an answer. */
      status: number
      idempotencyKey?: string
      /** Whether the request changed anything. */
      applied: boolean
      /** The parsed body, with secrets replaced by their names. */
      body?: unknown
    }[]
  >
  /** Turns a test card into a token for one payment, as a checkout does. */
  tokenize(card: string, options?: { clientToken?: string }): Promise<string>
  /** Returns everything: data, clock, keys, faults, log and the sequence of IDs. */
  snapshot(): Promise<Snapshot>
  /** Returns to a snapshot of this or another sandbox. */
  restore(snapshot: Snapshot): Promise<void>
  close(): Promise<void>
}

/** The state of a sandbox, as plain JSON. */
export interface Snapshot {
  readonly version: number
  readonly now: string
  readonly seed: number
  readonly drawn: number
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

/** Starts a sandbox. Its data is in memory and its clock runs, unless you say otherwise. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  refuseUnknown(options)
  const now = clockOf(options.clock)
  const folder = options.folder === undefined ? undefined : resolve(options.folder)
  if (folder !== undefined) checkPrivateFolder(folder, process.getuid?.())
  const random = randomFrom(options.seed ?? randomInt(2 ** 32))
  const sandbox = await openSandbox({ folder, now, random: random.next, mayKeepBodies: () => true })
  await sandbox.open()
  const server = await startServer({
    sandbox,
    host: '127.0.0.1',
    port: 0,
    pages: pagesIn({ folder: fileURLToPath(new URL('web', import.meta.url)) }),
    now,
    newId: makeIdentifiers(randomFrom(random.state().seed + 1).next).uuid,
    pid: process.pid,
    about: { dataDir: folder, version: VERSION },
    times: { graceMs: GRACE_MS },
  })
  const { url } = server
  let closed: Promise<void> | undefined
  const stop = async () => {
    await server.close()
    await sandbox.close()
  }
  const close = () => (closed ??= stop())
  const open = async () => {
    if (closed !== undefined) throw new Error('The sandbox is closed.')
    return sandbox
  }

  return {
    url,
    apiKey: API_KEY,
    fetch: async (path, init = {}) => {
      await open()
      const headers = new Headers(init.headers)
      const ours = typeof init.body === 'string' ? { ...HEADERS, ...JSON_HEADERS } : HEADERS
      for (const [name, value] of Object.entries(ours)) if (!headers.has(name)) headers.set(name, value)
      return fetch(new URL(path, url), { ...init, headers })
    },
    faults: {
      add: async (fault) => {
        await (
          await open()
        ).write(({ store: { faults } }) => {
          // A seed that isn't given takes no number from the sequence of IDs: a fault changes no ID.
          const { seed, drawn } = random.state()
          const toSeed = () => randomFor(seed + 1, drawn + faults.list().length)
          faults.add(readNewFault(fault, toSeed))
        })
      },
      clear: async () => {
        await (await open()).write(({ store }) => store.faults.clear())
      },
    },
    clock: {
      now: async () => (await open()).read((context) => context.now),
      advance: async (duration) =>
        (await open()).write((context) => new Date(advanceTime(context, readAdvance({ duration })).now)),
    },
    requests: async (filter = {}) => {
      const { on } = readFields(requestFilter, filter)
      const requests = await (await open()).read(({ store }) => store.requests.details())
      return requests
        .filter(({ method, path }) => on === undefined || matchesPattern(on, method, path))
        .map(seenByTest)
    },
    tokenize: async (card, more = {}) => {
      const input = readMethodToTokenize({ ...more, card }, undefined)
      return (await open()).write((context) => tokenize(input, context))
    },
    snapshot: async () =>
      (await open()).read(({ database, now: virtual }) => ({
        version: TABLES_VERSION,
        now: virtual.toISOString(),
        ...random.state(),
        tables: readTables(database),
      })),
    restore: async (snapshot) => {
      if (snapshot.version !== TABLES_VERSION)
        throw new Error('The snapshot is of another version of payctl. Make it again.')
      const { drawn, seed } = snapshot
      const offsetMs = Date.parse(snapshot.now) - now().getTime()
      if (![offsetMs, seed, drawn].every(Number.isSafeInteger))
        throw new Error('The snapshot is damaged. Make it again.')
      await (
        await open()
      ).write(({ database, store: { settings } }) => {
        replaceTables(database, snapshot.tables)
        settings.setClockOffsetMs(offsetMs)
        random.restore({ seed, drawn })
      })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

const requestFilter = lazySchema(() => z.strictObject({ on: field(readPattern) }))

const API_KEY = SANDBOX_KEYS[0]?.key ?? ''
const HEADERS = { 'x-api-key': API_KEY, 'x-api-version': '2.1' } as const
const JSON_HEADERS = { 'content-type': 'application/json' } as const

/** How long the end waits for requests in progress, some of which a fault delays for hours. */
const GRACE_MS = 250

/** Refuses a mistyped option, or a seed in a text, which would seem to work for callers without TypeScript. */
function refuseUnknown({ clock: _, seed, folder, ...rest }: SandboxOptions): void {
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined)
    throw new TypeError(`startSandbox has no option ${inspect(unknown)}, only clock, seed and folder`)
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw new TypeError(`seed is not a whole number: ${inspect(seed)}`)
  if (folder !== undefined && (typeof folder !== 'string' || folder === ''))
    throw new TypeError(`folder is not a path: ${inspect(folder)}`)
}

function clockOf(given: string | Date | undefined): () => Date {
  if (given === undefined) return () => new Date()
  const atMs = typeof given === 'string' || types.isDate(given) ? new Date(given).getTime() : Number.NaN
  if (Number.isNaN(atMs)) throw new TypeError(`clock is not a date: ${inspect(given)}`)
  return () => new Date(atMs)
}

/** Numbers from 0 up to 1, with 48 bits. A place in their sequence is the number of those drawn before. */
function randomFrom(firstSeed: number) {
  let [seed, drawn] = [firstSeed, 0]
  const bits24 = () => Math.floor(randomFor(seed, drawn++) * 2 ** 24)
  return {
    next: () => (bits24() * 2 ** 24 + bits24()) / 2 ** 48,
    state: () => ({ seed, drawn }),
    restore: (state: { readonly seed: number; readonly drawn: number }) => {
      ;({ seed, drawn } = state)
    },
  }
}

function seenByTest({ method, path, status = 0, idempotencyKey, applied, request }: LoggedDetails) {
  const body = request?.body
  return {
    method,
    path,
    status,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    applied,
    ...(body === undefined ? {} : { body: parsed(body) }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
