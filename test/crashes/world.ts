import { onTestFinished } from 'vitest'
import { httpClient } from '../histories/http-client.ts'
import type { HttpClient } from '../histories/http-client.ts'
import { serveFolder } from '../histories/served.ts'
import { at, newFolder, seededRandom, textAt } from '../sandbox/service.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Ended, Running } from '../support/spawn-pay.ts'
import { startRelay } from './relay.ts'
import type { Moment } from './relay.ts'

/** When a process is killed: some time after its start, or at a moment of its request; undefined for never. */
export type Death =
  | { readonly afterMs: number }
  | { readonly at: Moment; readonly marker: string }
  | undefined

export interface World {
  readonly random: () => number
  readonly service: HttpClient
  readonly stateFolder: string
  /** What the program is run with. */
  readonly env: Readonly<Record<string, string>>
  /** A run of the built program on the served sandbox; its signal is SIGKILL where it died as told. */
  readonly pay: (words: string, death?: Death) => Promise<Ended>
  /** The same, to be looked at while it runs. */
  readonly start: (words: string) => Running
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>
}

/** The built program, its ledger, and a sandbox that is served by a process of its own. */
export async function createWorld(seed: number): Promise<World> {
  const folder = newFolder()
  const bench = createSpawnBench()
  onTestFinished(() => bench.dispose())
  const served = await serveFolder(folder)
  const service = httpClient(served.url)
  onTestFinished(() => service.close())
  const waiting = new Map<string, { readonly moment: Moment; readonly kill: () => void }>()
  const relay = await startRelay(served.url, (moment, body) => {
    for (const [marker, death] of waiting) if (death.moment === moment && body.includes(marker)) death.kill()
  })
  const env = { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: relay.url }
  const start = (words: string) => bench.start(words, { env })
  return {
    random: seededRandom(seed),
    service,
    stateFolder: bench.stateFolder,
    env: { ...bench.env, ...env },
    start,
    pay: async (words, death) => {
      const running = start(words)
      const kill = () => running.kill('SIGKILL')
      if (death === undefined) return running.ended
      if ('afterMs' in death) {
        const timer = setTimeout(kill, death.afterMs)
        return running.ended.finally(() => clearTimeout(timer))
      }
      waiting.set(death.marker, { moment: death.at, kill })
      return running.ended.finally(() => waiting.delete(death.marker))
    },
    control: async (method, path, body) => {
      const answer = await service.send(method, `/sandbox/${path}`, body)
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
      return answer.body
    },
  }
}

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

export interface ToldRecord {
  readonly id: string
  readonly operation: string
  readonly target: string
  readonly amount: number
  readonly state: string
  readonly exitCode: number | null
  readonly idempotencyKey: string | null
  readonly updatedAt: string
}

export async function toldRecords({ pay }: World): Promise<readonly ToldRecord[]> {
  const { stdout, stderr, exitCode } = await pay('ops list --json')
  // A process killed while writing its record sent nothing; the record is removed.
  const others = stderr.replace(
    /^Removed \d+ records? that a crash had cut short before anything was sent\.\n/,
    '',
  )
  if (exitCode !== 0 || others !== '') throw new Error(`ops list: ${exitCode} ${stderr}`)
  const records: unknown = JSON.parse(stdout)
  if (!Array.isArray(records)) throw new Error('no list')
  return records
}

export const entriesAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path)
  if (!Array.isArray(found)) throw new Error(`no list at ${path.join('.')}`)
  return found
}
