import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox } from '../../src/sandbox/library.ts'
import { seededRandom, textAt } from '../sandbox/service.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Ended, Running } from '../support/spawn-pay.ts'
import { after, openLateDoor } from './late-door.ts'
import type { LateDoor } from './late-door.ts'
import { exchange } from './relay.ts'
import type { ListedRecord } from './world.ts'

/** How far the wall clock of a process is from the true time, as libfaketime reads it. */
const STEPS = ['+0', '+0', '+20m', '+2d', '-2d'] as const
/** A write that was sent with one of these keys is not sent again with the other, only looked for. */
const KEYS = ['sandbox_all', 'sandbox_all', 'sandbox_nobeta'] as const
export const KILLS = [
  'at-start',
  'at-arrival',
  'after-arrival',
  'after-arrival',
  'after-arrival',
  'interrupt',
  'never',
] as const
/** No round is open for longer: both attempts, the wait of a test profile, and a busy machine. */
const LONGEST_MS = 300_000

const LIBRARY = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))

/** `.ci/run` installs libfaketime. */
export const canStepClocks = LIBRARY !== undefined

const VERBS = {
  refund: { token: 'tok_autocapture', words: ['--amount', '500'] },
  capture: { token: 'tok_visa', words: ['--amount', '500', '--no-final'] },
  cancel: { token: 'tok_visa', words: [] },
} as const
type Verb = keyof typeof VERBS | 'create'

export interface RoundPlan {
  readonly seed: number
  readonly verbs: readonly Verb[]
  readonly clients: number
  /** A team's ledger; by default, the client has its own. */
  readonly ledger?: { readonly url: string; readonly account: string } | undefined
  readonly kills: readonly (typeof KILLS)[number][]
  readonly timeouts: readonly `${number}s`[]
  readonly mostLateMs: number
}

export interface RoundResult {
  /** What is false in what the program did or reported. */
  readonly problems: readonly string[]
  /** Writes that the service still held when their process was killed. */
  readonly killed: number
  readonly confirmed: number
  readonly rejected: number
  /** Requests that were sent again to resolve a write. */
  readonly resent: number
}

/** A person's folder, API key and clock at the time of sending. */
interface Client {
  readonly folder: string
  readonly key: (typeof KEYS)[number]
  readonly step: (typeof STEPS)[number]
}

type Start = (words: string | readonly string[], client: Client) => Running
type Draw = <T>(choices: readonly T[]) => T

/**
 * Clients send a write to a late service, and their processes are killed. Then clients ask what became of it, at random moments
 * and with other clocks and keys, until nothing is open.
 */
export async function playRound(sandbox: Sandbox, plan: RoundPlan): Promise<RoundResult> {
  const random = seededRandom(plan.seed)
  const draw = drawing(random)
  const [verb, timeout] = [draw(plan.verbs), draw(plan.timeouts)]
  // A test profile allows for the timeout and 30 s since an attempt was noted, which may be sent 5 s later. Processes of a busy
  // machine need some of the rest.
  const mostLateMs = Math.min(plan.mostLateMs, (Number.parseInt(timeout, 10) + 15) * 1000)
  const door = await openLateDoor(sandbox, { mostLateMs, random })
  const bench = createSpawnBench()
  const start: Start = (words, client) => {
    const running = bench.start(words, { env: { PAY_BASE_URL: door.url, ...envOf(client, plan) } })
    return { ...running, ended: running.ended.finally(() => removeShared(running)) }
  }
  try {
    const clients = Array.from({ length: plan.clients }, (_, number): Client => {
      const folder = join(bench.folder, `client-${number}`)
      mkdirSync(folder, { mode: 0o700 })
      return { folder, key: plan.ledger === undefined ? 'sandbox_all' : draw(KEYS), step: draw(STEPS) }
    })
    const list = async () => recordsIn(await start('ops list --json', { ...draw(clients), step: '+0' }).ended)
    const line = [...(await lineOf(sandbox, verb, `order-${plan.seed}`)), '--timeout', timeout, '--json']
    const ends: Ended[] = []
    const problems: string[] = []
    const figures = { killed: 0, resent: 0 }
    // A second create of the same order couldn't be told from the first.
    const waves = plan.clients === 1 && verb !== 'create' && random() < 0.4 ? 2 : 1
    for (let wave = 0; wave < waves; wave += 1) {
      const ended = await Promise.all(
        clients.map((client) =>
          endAt(draw(plan.kills), { door, running: start(line, client), afterMs: random() * 1500 }),
        ),
      )
      ends.push(...ended)
      const sent = door.writes().length
      const held = new Set(door.writes().flatMap(({ key, isHeld }) => (isHeld ? [key] : []))).size
      figures.killed += Math.min(held, ended.filter(({ signal }) => signal === 'SIGKILL').length)
      problems.push(...(await resolveToEnd(start, { clients, random, steppedMs: plan.mostLateMs * 1.5 })))
      const resent = door.writes().slice(sent)
      figures.resent += resent.length
      problems.push(
        ...resent.filter(({ wasShown }) => wasShown).map(({ key }) => `${key} was sent after it was shown`),
      )
    }
    await door.isIdle()
    const records = await list()
    return {
      ...figures,
      problems: [...problems, ...falseReports(door, records, ends)].map(
        (problem) => `seed ${plan.seed}, ${verb}, ${timeout}: ${problem}`,
      ),
      confirmed: records.filter(({ state }) => state === 'confirmed').length,
      rejected: records.filter(({ state }) => state === 'rejected').length,
    }
  } finally {
    door.close()
    bench.dispose()
  }
}

const drawing =
  (random: () => number): Draw =>
  (choices) => {
    const drawn = choices[Math.floor(random() * choices.length)]
    if (drawn === undefined) throw new Error('nothing to draw from')
    return drawn
  }

function envOf({ folder, key, step }: Client, { ledger }: RoundPlan): Readonly<Record<string, string>> {
  return {
    PAY_API_KEY: key,
    PAY_CONFIG_DIR: folder,
    PAY_STATE_DIR: folder,
    HOME: folder,
    ...(ledger === undefined ? {} : { PAY_LEDGER: ledger.url, PAY_LEDGER_ACCOUNT: ledger.account }),
    // As after a real step, the monotonic clock and the times of files stay true. Without `faketime`, the process can be killed
    // by its own ID.
    ...(step === '+0' || LIBRARY === undefined
      ? {}
      : { LD_PRELOAD: LIBRARY, FAKETIME: step, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' }),
  }
}

/** libfaketime removes its shared memory only if the process isn't killed. */
function removeShared({ child }: Running): void {
  for (const name of ['faketime_shm', 'sem.faketime_sem'])
    rmSync(`/dev/shm/${name}_${child.pid}`, { force: true })
}

/** The command of a write; it makes the payment that the write acts on. */
async function lineOf(sandbox: Sandbox, verb: Verb, orderId: string): Promise<readonly string[]> {
  if (verb === 'create')
    return `payment create --token tok_visa --amount 500 --currency EUR --order-id ${orderId}`.split(' ')
  const { token, words } = VERBS[verb]
  const { text } = await exchange(
    new URL('/payments', sandbox.url),
    'POST',
    { 'x-api-key': sandbox.apiKey, 'x-api-version': '2.1', 'content-type': 'application/json' },
    JSON.stringify({ paymentMethodToken: token, orderId, currencyCode: 'EUR', amount: 10_000 }),
  )
  return ['payment', verb, textAt(JSON.parse(text), 'id'), ...words]
}

/** Ends a process at or after its start or the arrival of a write. */
async function endAt(
  kill: RoundPlan['kills'][number],
  {
    door,
    running,
    afterMs,
  }: { readonly door: LateDoor; readonly running: Running; readonly afterMs: number },
): Promise<Ended> {
  if (kill === 'never') return running.ended
  if (kill !== 'at-start') await Promise.race([door.arrival(), running.ended])
  if (kill !== 'at-arrival') await Promise.race([after(afterMs), running.ended])
  if (kill === 'interrupt') {
    running.kill('SIGINT')
    await Promise.race([running.says('Interrupt').catch(() => undefined), running.ended])
    running.kill('SIGINT')
  } else running.kill('SIGKILL')
  return running.ended
}

/** Asks until nothing is open; first with any clock and key, then with those of the sending, which can't leave a doubt for days. */
async function resolveToEnd(
  start: Start,
  {
    clients,
    random,
    steppedMs,
  }: { readonly clients: readonly Client[]; readonly random: () => number; readonly steppedMs: number },
): Promise<readonly string[]> {
  const draw = drawing(random)
  const began = performance.now()
  for (;;) {
    const passed = performance.now() - began
    const client = draw(clients)
    const asking = passed < steppedMs ? { ...client, key: draw(KEYS), step: draw(STEPS) } : client
    const { exitCode, signal, stdout, stderr } = await start('ops resolve --all', asking).ended
    if (exitCode === 0) return []
    if (exitCode !== 10 && exitCode !== 6) return [`resolve: exit ${exitCode} ${signal} ${stderr}`]
    if (passed > LONGEST_MS) return [`still open: ${stdout}${stderr}`]
    await after(500 + (random() * steppedMs) / 8)
  }
}

function recordsIn({ stdout, stderr }: Ended): readonly ListedRecord[] {
  const records: unknown = stdout === '' ? undefined : JSON.parse(stdout)
  if (!Array.isArray(records)) throw new Error(`ops list: ${stderr}`)
  return records
}

/** Codes that say that a write was not done. */
const NOT_DONE: readonly (number | null)[] = [2, 3, 4, 5, 6, 7, 9, 11, 12]

/** What is false in what the program reported, judged by the service's log after everything late was applied. */
function falseReports(
  door: LateDoor,
  records: readonly ListedRecord[],
  ends: readonly Ended[],
): readonly string[] {
  const applied = door
    .writes()
    .filter(({ isApplied }) => isApplied)
    .map(({ key }) => key)
  const timesOf = (wanted: string | null) => applied.filter((key) => key === wanted).length
  const ofRecords = records.flatMap(({ operation, state, idempotencyKey }) => {
    const times = timesOf(idempotencyKey)
    // A payment is cancelled once, and its state confirms every cancellation.
    const isDone = times === 1 || (operation === 'payment.cancel' && applied.length === 1)
    const isTrue = state === 'confirmed' ? isDone : state === 'rejected' && times === 0
    return isTrue && times < 2 ? [] : [`${idempotencyKey} is ${state} and was applied ${times} times`]
  })
  const unrecorded = door
    .writes()
    .filter(({ key }) => !records.some(({ idempotencyKey }) => idempotencyKey === key))
    .map(({ key }) => `${key} was sent without a record`)
  const ofEnds = ends.flatMap(({ exitCode, stderr }) => {
    const [, key = ''] = /"idempotencyKey":"([^"]+)"/.exec(stderr) ?? []
    return NOT_DONE.includes(exitCode) && timesOf(key) > 0 ? [`exit ${exitCode}, and ${key} was applied`] : []
  })
  const succeeded = ends.filter(({ exitCode }) => exitCode === 0).length
  const confirmed = records.filter(({ state }) => state === 'confirmed').length
  return [
    ...ofRecords,
    ...unrecorded,
    ...ofEnds,
    ...(succeeded > confirmed ? [`exit 0 ${succeeded} times, and ${confirmed} are confirmed`] : []),
  ]
}
