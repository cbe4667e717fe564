import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refundPayment } from '../../src/api/operations/payment.ts'
import { resolveOpen } from '../../src/cli/resolve-open.ts'
import { PayError } from '../../src/errors.ts'
import { createClient } from '../../src/calls/client.ts'
import { createInProcessTransport } from '../../src/http/in-process-transport.ts'
import { TransportFailure } from '../../src/http/transport-port.ts'
import type { Transport } from '../../src/http/transport-port.ts'
import { isTorn, mayHaveValue } from '../../src/ledger/files/damaged-line.ts'
import { at, openService, seededRandom, settledPayment } from '../sandbox/service.ts'
import type { Service } from '../sandbox/service.ts'
import {
  AGAIN,
  DONE,
  ONCE,
  REFUND,
  REFUSED,
  TICKET,
  UNKNOWN,
  createLedgerBench,
  refundOf,
} from './ledger-bench.ts'
import type { LedgerBench, SimulatedProcess } from './ledger-bench.ts'

/** `PAY_DAMAGE_RUNS=10000 PAY_DAMAGE_SEED=1 npx vitest run test/ledger/damage.test.ts` runs many more. */
const RUNS = Number(process.env['PAY_DAMAGE_RUNS'] ?? 300)
const SEED = Number(process.env['PAY_DAMAGE_SEED'] ?? 1)
const MINUTE_MS = 60_000

const historyPath = (bench: LedgerBench, month = '2026-03'): string =>
  join(bench.folder, `history-${month}.ndjson`)

/** Changes the text of the history; its file was written at the bench's own time. */
function rewrite(bench: LedgerBench, change: (text: string) => string): void {
  const path = historyPath(bench)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  touch(bench)
}

const touch = (bench: LedgerBench): void => utimesSync(historyPath(bench), bench.clock.now, bench.clock.now)

/** A refund that was done, and whose line is changed. */
async function doneAndChanged(change: (text: string) => string, options = ONCE): Promise<LedgerBench> {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, options)).settle(DONE)
  rewrite(bench, change)
  return bench
}

/** A refund that was done, and whose end was cut short while it was written. */
async function cutShort(
  bench: LedgerBench,
  length: number,
): Promise<{ process: SimulatedProcess; id: string }> {
  const process = bench.process({
    disk: {
      ...bench.disk,
      append: async (path, text) => {
        await bench.disk.append(path, text.slice(0, length))
        throw new Error('cut short')
      },
    },
  })
  const intent = await process.ledger.begin(REFUND, ONCE)
  await expect(intent.settle(DONE)).rejects.toThrow('cut short')
  return { process, id: intent.id }
}

const DAMAGES: readonly [string, (text: string) => string][] = [
  ['another letter in its state', (text) => text.replace('"confirmed"', '"confirmee"')],
  ['another letter in its target', (text) => text.replace('"p1"', '"q1"')],
  ['another letter in its id', (text) => text.replace('"op-1"', '"op-7"')],
  ['cut short', (text) => text.slice(0, 300)],
  ['cut short before its target', (text) => text.slice(0, 30)],
  ['zeros in its place', (text) => '\0'.repeat(text.length)],
  ['zeros in the place of its target', (text) => text.replace('"p1"', '"\0\0"')],
  ['glued to another line', (text) => text.trimEnd().replace(/^/, '{"id":"op-8","target":"elsewhere"}')],
]

describe('a damaged line of the history', () => {
  test.each(DAMAGES)('keeps the same from being done once more: %s', async (_, change) => {
    const bench = await doneAndChanged(change)
    const again = { ...REFUND, idempotencyKey: 'key-2' }
    await expect(bench.process().ledger.begin(again, ONCE)).rejects.toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
      message: expect.stringContaining(historyPath(bench)),
      details: { outcome: 'none', hint: expect.stringContaining('--again') },
    })
    expect(bench.openNames()).toEqual([])
    // On a person's word it is done, and what is written behind the line tells when it was at the latest.
    await (await bench.process().ledger.begin({ ...again, fingerprint: 'another' }, AGAIN)).settle(DONE)
    bench.waitMs(10 * MINUTE_MS + 1)
    await bench.process().ledger.begin(again, ONCE)
  })

  test('counts for ten minutes, though nothing was written since', async () => {
    const bench = await doneAndChanged((text) => text.slice(0, 300))
    bench.waitMs(10 * MINUTE_MS)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
    bench.waitMs(1)
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test.each([
    ['of another target', (text: string) => text.replaceAll('"p1"', '"payment-2"').replace('EUR', 'EUS')],
    ['of one that was refused', (text: string) => text.replace('"confirmed"', '"rejected"')],
  ])('is in nobody’s way when it is plainly %s', async (_, change) => {
    const bench = await doneAndChanged(change)
    await bench.process().ledger.begin(REFUND, ONCE)
  })

  test.each(['""', 'null', '"QQQQQQ"', '"\\u0000"', '"exitCode":0'])(
    'is in the way when its target reads %s, and the rest of it is of this payment',
    async (written) => {
      const bench = await doneAndChanged((text) =>
        text.replace('"target":"p1"', `"target":${written}`).replace('"resource":null', '"resource":"p1"'),
      )
      await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({
        code: 'ledger_damaged',
      })
    },
  )

  test('that a crash has cut short is no loss: its record is open, and is in the way itself', async () => {
    const bench = createLedgerBench()
    const { process: dead, id } = await cutShort(bench, 200)
    bench.kill(dead)
    touch(bench)
    await bench.process().ledger.begin(refundOf('p2'), ONCE)
    const open = await bench.process().ledger.reopen(id)
    expect(open.damage).toBeUndefined()
    await open.settle(DONE)
    await expect(bench.process().ledger.begin(REFUND, ONCE)).rejects.toMatchObject({ code: 'duplicate' })
  })

  test('that a full disk has cut short is in the way though its record was abandoned since', async () => {
    const bench = createLedgerBench()
    const { process: full, id } = await cutShort(bench, 300)
    bench.kill(full)
    await (await bench.process().ledger.reopen(id)).abandon('not wanted')
    touch(bench)
    const next = { ...REFUND, idempotencyKey: 'key-2' }
    await expect(bench.process().ledger.begin(next, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
    await bench.process().ledger.begin(next, AGAIN)
  })

  test.each(DAMAGES.slice(0, 4))(
    'keeps a ticket from being used again, however old: %s',
    async (_, change) => {
      const ticket = { ...REFUND, idempotencyKey: 'ticket-0123456789abcdef' }
      const bench = createLedgerBench()
      await (await bench.process().ledger.begin(ticket, TICKET)).settle(DONE)
      rewrite(bench, change)
      for (const days of [0, 400]) {
        bench.waitMs(days * 24 * 60 * MINUTE_MS)
        await expect(bench.process().ledger.begin(ticket, TICKET)).rejects.toMatchObject({
          code: 'ledger_damaged',
          exitCode: 6,
        })
      }
    },
  )

  test('of a ticket’s own key is in the way on every target, whatever else is damaged', async () => {
    const bench = await doneAndChanged((text) => text.replace('"p1"', '"payment-2"'), TICKET)
    await expect(bench.process().ledger.begin(REFUND, { ...TICKET, mayRepeat: true })).rejects.toMatchObject({
      code: 'ledger_damaged',
    })
  })

  test('may be what has changed a payment since it was read', async () => {
    const bench = createLedgerBench()
    const seenAt = bench.clock.now.toISOString()
    bench.waitMs(5)
    await (await bench.process().ledger.begin(REFUND, AGAIN)).settle(DONE)
    rewrite(bench, (text) => text.replace('"confirmed"', '"confirmeD"'))
    const adjustment = { ...REFUND, operation: 'payment.adjust', fingerprint: 'to 500' }
    await expect(bench.process().ledger.begin(adjustment, { ...AGAIN, seenAt })).rejects.toMatchObject({
      code: 'ledger_damaged',
    })
  })

  test('of another write on the target keeps one in doubt from being resolved, and a person may end it', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    rewrite(bench, (text) => text.replace('500', '501'))
    const { id } = await bench
      .process()
      .ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
      .then(async (one) => {
        await one.settle(UNKNOWN)
        return one
      })
    const open = await bench.process().ledger.reopen(id)
    expect(open.damage).toMatchObject({
      code: 'ledger_damaged',
      exitCode: 6,
      details: { operationId: id, next: [`pay ops show ${id}`, `pay ops abandon ${id}`] },
    })
    await open.abandon('looked')
    expect(bench.openNames()).toEqual([])
  })

  test('that was only cut short does not: its record is open, or it was not done', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(REFUSED)
    rewrite(bench, (text) => text.slice(0, 300))
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.reopen(intent.id)).damage).toBeUndefined()
  })

  test('that is its own end, cut short, does not make its key another write’s', async () => {
    const bench = createLedgerBench()
    const writer = bench.process()
    const intent = await writer.ledger.begin(REFUND, AGAIN)
    await intent.settle(UNKNOWN)
    writeFileSync(historyPath(bench), '{"id":"op-1","idempotencyKey":"key-1","createdAt":"2026-')
    const own = await bench.process().ledger.reopen('op-1')
    expect(await own.intent.isKeyTaken?.()).toBe(false)
    await own.release()
    writeFileSync(historyPath(bench), '{"id":"op-9","idempotencyKey":"key-1","createdAt":"2026-')
    const others = await bench.process().ledger.reopen('op-1')
    expect(await others.intent.isKeyTaken?.()).toBe(true)
  })

  test('of one from more than a day before does not', async () => {
    const bench = createLedgerBench()
    await (await bench.process().ledger.begin(REFUND, ONCE)).settle(DONE)
    rewrite(bench, (text) => text.replace('500', '501'))
    bench.waitMs(25 * 60 * MINUTE_MS)
    const intent = await bench.process().ledger.begin({ ...REFUND, fingerprint: 'x' }, AGAIN)
    await intent.settle(UNKNOWN)
    expect((await bench.process().ledger.reopen(intent.id)).damage).toBeUndefined()
  })

  test('that may be its own end keeps a write from being sent again', async () => {
    const bench = createLedgerBench()
    const dead = bench.process({
      disk: { ...bench.disk, remove: async () => Promise.reject(new Error('killed')) },
    })
    const intent = await dead.ledger.begin(REFUND, ONCE)
    await expect(intent.settle(REFUSED)).rejects.toThrow('killed')
    bench.kill(dead)
    rewrite(bench, (text) => text.replace('"p1"', '"p\u0001"'))
    expect((await bench.process().ledger.reopen(intent.id)).damage).toMatchObject({ code: 'ledger_damaged' })
  })
})

test.each([
  ['', true],
  ['\0\0\0', true],
  ['{"i', true],
  ['{"id":"op-1","operation":"pay', true],
  ['{"id":"op-1","operation":"pay\0\0', true],
  ['{"id":"op-1","checksum":"0123', true],
  ['{"id":"op-1","checksum":"0123456789abcdef0123456789abcdef"', true],
  ['{"id":"op-1","checksum":"0123456789abcdef0123456789abcdef"}', false],
  ['{"id":"op-1","checksum":"0123456789abcdef0123456789abcdef"]', false],
  ['{"id":"op-1"}', false],
  ['zid":"op-1","operation":"pay', false],
])('%j is cut short: %s', (line, expected) => {
  expect(isTorn(line)).toBe(expected)
})

test('a line is cut short where a whole one was written right behind it', async () => {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, ONCE)).settle(REFUSED)
  let line = ''
  rewrite(bench, (text) => {
    line = text.trim()
    return text
  })
  expect(isTorn(`{"id":"op-0","oper${line}`)).toBe(true)
  expect(isTorn(`{"id":"op-0","oper${line.replace('rejected', 'abandoned')}`)).toBe(false)
})

test('two writes that a full disk has cut short in one line are both still open, and can be resolved', async () => {
  const bench = createLedgerBench()
  const full = bench.process({
    disk: {
      ...bench.disk,
      append: async (path, text) => {
        await bench.disk.append(path, text.trimStart().slice(0, 300))
        throw new Error('ENOSPC')
      },
      // As two processes see it that write at once: the line of the other has not begun yet.
      size: async () => 0,
    },
  })
  const intents = await Promise.all([REFUND, refundOf('p2')].map((intent) => full.ledger.begin(intent, ONCE)))
  for (const intent of intents) await expect(intent.settle(DONE)).rejects.toThrow('ENOSPC')
  expect(readFileSync(historyPath(bench), 'utf8')).toMatch(/^\{"id":"op-1".*\{"id":"op-2"[^\n]*$/)
  bench.kill(full)
  touch(bench)
  for (const { id } of intents) {
    const open = await bench.process().ledger.reopen(id)
    expect(open.damage).toBeUndefined()
    await open.abandon('not wanted')
  }
  const next = { ...refundOf('p2'), idempotencyKey: 'key-2' }
  await expect(bench.process().ledger.begin(next, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
})

test('a write that was not sent and leaves no record is gone for good, though the disk is full', async () => {
  const bench = createLedgerBench()
  let synced: string[] = []
  let isFull = false
  const { ledger } = bench.process({
    disk: {
      ...bench.disk,
      append: () => Promise.reject(new Error('ENOSPC')),
      remove: async (path) => {
        await bench.disk.remove(path)
        synced = []
      },
      sync: async (path) => {
        synced.push(path)
        if (isFull && synced.length === 1) throw new Error('ENOSPC')
        await bench.disk.sync(path)
      },
    },
  })
  const intent = await ledger.begin(REFUND, ONCE)
  isFull = true
  await expect(intent.settle(REFUSED)).rejects.toThrow('ENOSPC')
  expect(bench.openNames()).toEqual([])
  const folder = join(bench.folder, 'open')
  expect(synced).toEqual([folder, folder])
})

test.each([
  ['{"target":"p1"}', true],
  ['{"target":"p2"}', true],
  ['{"target":"something-else"}', false],
  ['{"target":"something-else"}{"target":"p1"}', true],
  ['{"target":null}', false],
  ['{"targeT":"something-else"}', true],
  ['{"target":"\0\0\0\0\0\0\0\0"}', true],
  ['{"target":"something', true],
])('%s may be on p1: %s', (line, expected) => {
  expect(mayHaveValue(line, 'target', 'p1')).toBe(expected)
})

/** What a disk, a cable or a careless hand may do to a file: a few bits or bytes, zeros, another value, no end. */
function damagedText(bytes: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit)
  const changed = Buffer.from(bytes)
  switch (below(6)) {
    case 0:
      for (let left = 1 + below(8); left > 0; left -= 1) {
        const index = below(bytes.length)
        changed[index] = (changed[index] ?? 0) ^ (1 << below(8))
      }
      return changed
    case 1:
      for (let left = 1 + below(4); left > 0; left -= 1) changed[below(bytes.length)] = below(256)
      return changed
    case 2:
      return changed.fill(0, below(bytes.length))
    case 3:
    case 4: {
      // What is read as before, and says something else, is the most dangerous.
      const values = [...bytes.toString('latin1').matchAll(/(?<=":"?)[\w-]+(?="?[,}])/g)]
      const value = values[below(values.length)]
      const index = (value?.index ?? 0) + below(value?.[0].length ?? 1)
      changed[index] = '0123456789abcdef'.charCodeAt(below(16))
      return changed
    }
    default:
      // A file of which nothing is left is one that was removed, and that nobody can tell.
      return changed.subarray(0, 1 + below(bytes.length - 1))
  }
}

/** As a process of its own; `isCut` for one that is cut off as soon as the service has done what it asks for. */
function clientOf(service: Service, bench: LedgerBench, process: SimulatedProcess, isCut: boolean) {
  const through = createInProcessTransport(service.sandbox, { sleep: async () => {} })
  const transport: Transport = {
    ...through,
    send: async (request, options) => {
      const answer = await through.send(request, options)
      if (request.method === 'GET' || !isCut) return answer
      throw new TransportFailure('cut', true, 'the connection ended')
    },
  }
  const never = new AbortController().signal
  return createClient({
    transport,
    ledger: process.ledger,
    profile: undefined,
    mode: 'test',
    baseUrl: 'https://sandbox.example.com',
    apiKey: 'sandbox_all',
    apiVersion: '2.1',
    userAgent: 'test',
    timeoutMs: 1_000,
    maxRetries: 0,
    now: () => bench.clock.now,
    random: () => 0.5,
    newId: () => `key-${process.owner.pid}-${Math.random().toString(16).slice(2)}`,
    sleep: async (ms) => bench.waitMs(ms),
    interruption: { stop: never, abandon: never },
    onAttempt: () => {},
  })
}

const swallow = (error: unknown): void => {
  if (!(error instanceof PayError)) throw error
}

async function resolveAll(service: Service, bench: LedgerBench): Promise<void> {
  const process = bench.process()
  const client = clientOf(service, bench, process, false)
  for (const { id } of (await process.ledger.list({ onlyOpen: true })).records)
    await resolveOpen(process.ledger, id, async () => client, { confirmSend: async () => true }).catch(
      swallow,
    )
}

test(`whatever is damaged, a refund in doubt is never done twice (${RUNS} times from seed ${SEED})`, async () => {
  let bench = createLedgerBench()
  let service = await openService(undefined, 1, () => bench.clock.now)
  for (let run = 0; run < RUNS; run += 1) {
    // A history that grows for ever is read for ever longer.
    if (run % 50 === 49) {
      bench = createLedgerBench()
      service = await openService(undefined, 1, () => bench.clock.now)
    }
    const random = seededRandom(SEED + run)
    const id = await settledPayment(service)
    const body = { value: { amount: 300 }, text: '{"amount":300}' }
    const call = { operation: refundPayment, params: { id }, body }
    await clientOf(service, bench, bench.process(), true).call(call).catch(swallow)
    const endsFirst = random() < 0.5
    // Of its open record, or of its line in the history, behind those of the runs before.
    if (endsFirst) await resolveAll(service, bench)
    const folder = endsFirst ? bench.folder : join(bench.folder, 'open')
    const [name = ''] = readdirSync(folder).filter((one) => /\.(?:json|ndjson)$/.test(one))
    const path = join(folder, name)
    const whole = readFileSync(path)
    const start = endsFirst ? whole.lastIndexOf('\n', whole.length - 2) + 1 : 0
    writeFileSync(path, Buffer.concat([whole.subarray(0, start), damagedText(whole.subarray(start), random)]))
    if (endsFirst) touch(bench)
    await resolveAll(service, bench)
    await clientOf(service, bench, bench.process(), false).call(call).catch(swallow)
    const payment = await service.ok('GET', `/payments/${id}`)
    expect(at(payment, 'processor', 'amountRefunded'), `seed ${SEED + run}`).toBe(300)
    const { ledger } = bench.process()
    for (const { name: damaged } of (await ledger.list({ onlyOpen: true })).damaged.files)
      await ledger.setAside(damaged)
    for (const { id: open } of (await ledger.list({ onlyOpen: true })).records)
      await (await ledger.reopen(open)).abandon('looked')
    bench.waitMs(20 * MINUTE_MS)
  }
}, 3_600_000)
