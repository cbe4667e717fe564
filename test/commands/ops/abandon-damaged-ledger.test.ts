import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, ok } from './ops-bench.ts'

const QUESTION =
  'Set the damaged ledger aside? A lost record blocks nothing, so check your latest payments at the service first.'
const LINE = 'ops abandon --damaged-ledger'

/** A refund in doubt, a payment, and a damaged record of a second refund in doubt. */
async function damaged() {
  const bench = createOpsBench()
  const kept = await bench.lostRefund('A-1')
  const lost = await bench.lostRefund('A-2')
  bench.damage(lost.id)
  return { bench, kept, lost }
}

test('asks in person, keeps what can be read, and lists the rest', async () => {
  const { bench, kept, lost } = await damaged()
  const ran = await ok(bench.runPay(LINE, { answers: { [QUESTION]: true } }))
  expect(ran.stderr).toContain(`3 records can be read, 1 of them open. 1 record can't:\n  ${lost.id}\n`)
  const name = readdirSync(bench.stateFolder).find((one) => /^ledger-damaged-.*\.db$/.test(one)) ?? 'missing'
  expect(ran.stdout).toContain(`Set aside: ${bench.stateFolder}/${name}\n`)
  expect(ran.stdout).toContain(lost.id)
  expect(await bench.list('--state in-doubt')).toMatchObject([{ id: kept.id }])
  const blocked = await bench.runPay(`--sandbox payment refund ${kept.paymentId} --amount 100`)
  expect(blocked).toMatchObject({ exitCode: 6, requests: [] })
  await ok(bench.runPay(`--sandbox payment refund ${lost.paymentId} --amount 100`))
  expect((await ok(bench.runPay(LINE))).stdout).toBe('The ledger is not damaged.\n')
})

test('No changes nothing', async () => {
  const { bench } = await damaged()
  const refused = await bench.runPay(LINE, { answers: { [QUESTION]: false } })
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(readdirSync(bench.stateFolder).filter((name) => name.startsWith('ledger-'))).toEqual([])
})

test.each([
  ['without a terminal', LINE, {}],
  ['without a terminal, with --yes', `${LINE} --yes`, {}],
  ['on a terminal, with --yes', `${LINE} --yes`, { tty: true }],
])('is refused %s', async (_, line, options) => {
  const { bench } = await damaged()
  const refused = await bench.runPay(`${line} --json`, options)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(errorOf(refused)).toMatchObject({
    code: 'confirmation_needed',
    outcome: 'none',
    next: [`pay ${LINE} --dry-run`],
  })
  expect(readdirSync(bench.stateFolder).filter((name) => name.startsWith('ledger-'))).toEqual([])
})

test('--dry-run says what can be read', async () => {
  const { bench, lost } = await damaged()
  const ran = await ok(bench.runPay(`${LINE} --dry-run --json`))
  expect(JSON.parse(ran.stdout)).toEqual({
    isDamaged: true,
    records: 3,
    open: 1,
    lost: [lost.id],
    setAside: null,
  })
})

test.each([
  ['that is no database', (path: string) => writeFileSync(path, 'no database'.repeat(1000))],
  [
    'whose first page is destroyed',
    (path: string) =>
      writeFileSync(path, Buffer.concat([Buffer.alloc(4096, 'x'), readFileSync(path).subarray(4096)])),
  ],
])('a file %s is set aside whole', async (_, spoil) => {
  const { bench, kept } = await damaged()
  spoil(ledgerPath(bench.stateFolder))
  const blocked = await bench.runPay(`--sandbox payment refund ${kept.paymentId} --amount 100`)
  expect(blocked).toMatchObject({ exitCode: 6, requests: [] })
  await ok(bench.runPay(`--sandbox payment get ${kept.paymentId}`))
  const ran = await ok(bench.runPay(LINE, { answers: { [QUESTION]: true } }))
  const words = 'No record in it can be read. What was open in it blocks nothing.'
  expect(ran.stderr).toContain(words)
  expect(ran.stdout).toContain(words)
  await ok(bench.runPay(`--sandbox payment refund ${kept.paymentId} --amount 100`))
})

test('an ID and --damaged-ledger contradict each other', async () => {
  const { bench, kept } = await damaged()
  const refused = await bench.runPay(`${LINE} ${kept.id} --json`)
  expect(errorOf(refused)).toMatchObject({ code: 'given_twice' })
})
