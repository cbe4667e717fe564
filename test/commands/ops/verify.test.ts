import { describe, expect, test } from 'vitest'
import { openSandbox } from '../../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { createOpsBench, ok } from './ops-bench.ts'
import type { OpsBench } from './ops-bench.ts'

const verify = async (bench: OpsBench, flags = '') => {
  const ran = await bench.runPay(`--sandbox ops verify --json ${flags}`)
  const answer: Readonly<Record<string, unknown>> = JSON.parse(ran.stdout)
  return { ...ran, answer }
}

const pay = (bench: OpsBench, words: string) => ok(bench.runPay(`--sandbox ${words}`))

/** Refunds without the ledger, as a colleague on another machine does. */
const refundElsewhere = (bench: OpsBench, id: string, amount: number) =>
  withSandbox(bench, (sandbox) =>
    sandbox.handle({
      method: 'POST',
      url: `/payments/${id}/refund`,
      headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' },
      body: JSON.stringify({ amount }),
    }),
  )

const withSandbox = async (bench: OpsBench, work: (sandbox: Sandbox) => Promise<unknown>) => {
  const sandbox = await openSandbox({
    folder: `${bench.stateFolder}/sandbox`,
    now: () => bench.clock.now,
    random: Math.random,
  })
  await work(sandbox)
  await sandbox.close()
}

/** What happened, and the rows and the exit code that follow. */
const CASES: readonly (readonly [
  what: string,
  exitCode: number,
  rows: readonly object[],
  (bench: OpsBench, id: string) => Promise<unknown>,
])[] = [
  [
    'a refund that the payment shows',
    0,
    [],
    async (bench, id) => {
      await pay(bench, `payment refund ${id} --amount 200`)
      await pay(bench, 'sandbox clock advance 2h')
    },
  ],
  [
    'a refund that has not settled',
    8,
    [{ verdict: 'pending', recorded: 200, found: 200 }],
    (bench, id) => pay(bench, `payment refund ${id} --amount 200`),
  ],
  [
    'a refund that a colleague repeated',
    14,
    [{ verdict: 'more', recorded: 200, found: 400 }],
    async (bench, id) => {
      await pay(bench, `payment refund ${id} --amount 200`)
      await refundElsewhere(bench, id, 200)
    },
  ],
  [
    'another refund by a colleague',
    0,
    [],
    async (bench, id) => {
      await pay(bench, `payment refund ${id} --amount 200`)
      await refundElsewhere(bench, id, 100)
      await pay(bench, 'sandbox clock advance 2h')
    },
  ],
  [
    'two equal refunds that both are recorded',
    0,
    [],
    async (bench, id) => {
      await pay(bench, `payment refund ${id} --amount 200`)
      await pay(bench, `payment refund ${id} --amount 200 --again`)
      await pay(bench, 'sandbox clock advance 2h')
    },
  ],
  [
    'a service that lost its data',
    14,
    [
      { verdict: 'missing', recorded: 200, found: null },
      { operation: 'payment.create', verdict: 'missing' },
    ],
    async (bench, id) => {
      await pay(bench, `payment refund ${id} --amount 200`)
      await withSandbox(bench, (sandbox) =>
        sandbox.write(({ database }) => database.run('DELETE FROM records')),
      )
    },
  ],
  [
    'a payment that cannot be read',
    14,
    [{ verdict: 'unreadable', recorded: 1000, found: null }],
    async (bench) => {
      await pay(bench, "sandbox faults add --on 'GET /payments/*' --do status=400")
    },
  ],
]

describe('ops verify', () => {
  test.each(CASES)('%s: exit %i', async (_, exitCode, rows, happen) => {
    const bench = createOpsBench()
    const id = await bench.payment('A-1')
    await happen(bench, id)
    const { answer, ...ran } = await verify(bench)
    expect(ran.exitCode).toBe(exitCode)
    expect(answer['rows']).toMatchObject(rows)
    expect(ran.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test('a refund that was accepted and failed has failed later', async () => {
    const bench = createOpsBench()
    const id = (
      await pay(bench, "payment create --token tok_refund_fails --amount '10.00 EUR' --order-id A-1 -o id")
    ).stdout.trim()
    await pay(bench, `payment capture ${id}`)
    await pay(bench, `payment refund ${id} --amount 200`)
    await pay(bench, 'sandbox clock advance 2h')
    const { answer, exitCode, stderr } = await verify(bench)
    expect(exitCode).toBe(14)
    expect(answer).toEqual({
      from: '2026-02-22T12:00:00.000Z',
      checked: 3,
      asRecorded: 2,
      pending: 0,
      rows: [
        {
          operationId: expect.any(String),
          operation: 'payment.refund',
          target: id,
          verdict: 'failed_later',
          recorded: 200,
          found: 'FAILED',
        },
      ],
    })
    expect(stderr).toContain('"code":"not_as_recorded"')
    expect(stderr).toMatch(/1 of \d writes? is not as recorded/)
    expect(stderr).toContain('Nothing was sent. Look at these payments before you repeat anything.')
    const shown = await bench.runPay('--sandbox ops verify', { columns: 100 })
    expect(shown.stdout).toContain('failed later')
    expect(shown.stdout).toContain('2.00 EUR')
  })

  test.each([
    ['payment capture ID --amount 700 --no-final', 'payment.capture'],
    ['payment capture ID', 'payment.capture'],
    ['payment cancel ID', 'payment.cancel'],
  ])('%s is as recorded', async (words) => {
    const bench = createOpsBench()
    const id = (
      await pay(bench, "payment create --token tok_visa --amount '10.00 EUR' --order-id A-1 -o id")
    ).stdout.trim()
    await pay(bench, words.replace('ID', id))
    expect(await verify(bench)).toMatchObject({
      exitCode: 0,
      answer: { checked: 2, asRecorded: 2, rows: [] },
    })
  })

  test('--refunds and --from choose the writes', async () => {
    const bench = createOpsBench()
    const id = await bench.payment('A-1')
    await pay(bench, `payment refund ${id} --amount 200`)
    expect((await verify(bench, '--refunds')).answer).toMatchObject({ checked: 1 })
    expect((await verify(bench, '--from 2026-03-02')).answer).toMatchObject({ checked: 0, rows: [] })
    bench.clock.now = new Date('2026-03-09T12:00:00.000Z')
    expect((await verify(bench)).answer).toMatchObject({ checked: 0 })
    expect((await verify(bench, '--from 30d')).answer).toMatchObject({ checked: 2 })
  })

  test('writes of other accounts are left out, and said', async () => {
    const bench = createOpsBench()
    const id = await bench.payment('A-1')
    await pay(bench, `payment refund ${id} --amount 200`)
    const [refund] = await bench.list('--operation payment.refund')
    bench.rewrite(String(refund?.['id']), (entry) => ({
      ...entry,
      record: { ...entry.record, account: 'other' },
    }))
    const ran = await bench.runPay('--sandbox ops verify')
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stderr).toContain('Left out: 1 write of other accounts')
  })

  test('rows of a batch are compared too', async () => {
    const bench = createOpsBench()
    const id = await bench.payment('A-1')
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${bench.folder}/refunds.csv`, `paymentId,amount\n${id},200\n`)
    await pay(bench, 'batch plan refund refunds.csv')
    await pay(bench, 'batch apply refunds.plan.ndjson')
    const { answer, exitCode } = await verify(bench, '--refunds')
    expect({ exitCode, answer }).toMatchObject({ exitCode: 8, answer: { checked: 1, pending: 1 } })
  })
})
