import { onTestFinished } from 'vitest'
import { httpClient } from '../histories/http-client.ts'
import type { HttpClient } from '../histories/http-client.ts'
import { serveFolder } from '../histories/served.ts'
import { at, newFolder, seededRandom, textAt } from '../sandbox/service.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Ended, Running } from '../support/spawn-pay.ts'
import { startRelay } from './relay.ts'
import type { Moment } from './relay.ts'

/**
 * When to kill a process: some time after its start, or at a moment of the request whose body has the marker; undefined for
 * never.
 */
export type Kill = { readonly afterMs: number } | { readonly at: Moment; readonly marker: string } | undefined

export interface World {
  readonly random: () => number
  readonly service: HttpClient
  readonly stateFolder: string
  /** The program's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Runs the built program on the served sandbox, and kills it if asked: its signal is then SIGKILL. */
  readonly pay: (words: string, kill?: Kill) => Promise<Ended>
  /** Starts it without waiting for its end. */
  readonly start: (words: string) => Running
  /** Sends a control request to the sandbox, such as adding a fault. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** The built program with its own folders, and a sandbox served by another process. */
export async function createWorld(seed: number): Promise<World> {
  const folder = newFolder()
  const bench = createSpawnBench()
  onTestFinished(() => bench.dispose())
  const served = await serveFolder(folder)
  const service = httpClient(served.url)
  onTestFinished(() => service.close())
  const waiting = new Map<string, { readonly moment: Moment; readonly kill: () => void }>()
  const relay = await startRelay(served.url, (moment, body) => {
    for (const [marker, one] of waiting) if (one.moment === moment && body.includes(marker)) one.kill()
  })
  const env = { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: relay.url }
  const start = (words: string) => bench.start(words, { env })
  return {
    random: seededRandom(seed),
    service,
    stateFolder: bench.stateFolder,
    env: { ...bench.env, ...env },
    start,
    pay: async (words, when) => {
      const running = start(words)
      const kill = () => running.kill('SIGKILL')
      if (when === undefined) return running.ended
      if ('afterMs' in when) {
        const timer = setTimeout(kill, when.afterMs)
        return running.ended.finally(() => clearTimeout(timer))
      }
      waiting.set(when.marker, { moment: when.at, kill })
      return running.ended.finally(() => waiting.delete(when.marker))
    },
    control: async (method, path, body) => {
      const answer = await service.send(method, `/sandbox/${path}`, body)
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer.body
    },
  }
}

/** An authorized payment of 1,000,000 minor units; returns its id. */
export async function makePayment(world: World, orderId: string, more: object = {}): Promise<string> {
  const body = { paymentMethodToken: 'tok_visa', orderId, currencyCode: 'EUR', amount: 1_000_000, ...more }
  const { status, body: made } = await world.service.send('POST', '/payments', body)
  if (status !== 200) throw new Error(JSON.stringify(made))
  return textAt(made, 'id')
}

export async function makeSettledPayment(world: World, orderId: string): Promise<string> {
  const id = await makePayment(world, orderId)
  await world.service.send('POST', `/payments/${id}/capture`, {})
  return id
}

export const readPayment = async ({ service }: World, id: string): Promise<unknown> =>
  (await service.send('GET', `/payments/${id}`)).body

/** A record as `pay ops list --json` prints it. */
export interface ListedRecord {
  readonly id: string
  readonly operation: string
  readonly target: string
  readonly amount: number
  readonly state: string
  readonly exitCode: number | null
  readonly idempotencyKey: string | null
  readonly updatedAt: string
}

export async function listRecords({ pay }: World): Promise<readonly ListedRecord[]> {
  const { stdout, stderr, exitCode } = await pay('ops list --json')
  // A process killed while writing its record sent nothing; the record is removed.
  const others = stderr.replace(
    /^Removed \d+ records? that a crash had cut short before anything was sent\.\n/,
    '',
  )
  if (exitCode !== 0 || others !== '') throw new Error(`ops list: ${exitCode} ${stderr}`)
  const records: unknown = JSON.parse(stdout)
  if (!Array.isArray(records)) throw new Error('not a list')
  return records
}

export const entriesAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path)
  if (!Array.isArray(found)) throw new Error(`no list at ${path.join('.')}`)
  return found
}
