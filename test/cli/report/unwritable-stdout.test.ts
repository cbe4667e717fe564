import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const onStdout = () => {
  throw new Error('ENOSPC: no space left on device, write')
}

async function createPayment(): Promise<string> {
  const created = await bench.runPay(
    '--sandbox payment create --token tok_autocapture --amount 5000 --currency EUR --order-id A-1 -o id',
  )
  return created.stdout.trim()
}

test('an accepted refund that is not final counts as done if stdout is full', async () => {
  const id = await createPayment()
  const refunded = await bench.runPay(`--sandbox payment refund ${id} --amount 500 --wait --for 1s --json`, {
    onStdout,
  })
  expect(refunded.exitCode).toBe(1)
  expect(errorOf(refunded)).toMatchObject({ outcome: 'applied', next: ['pay ops list'] })
})

test('a batch with a row that failed does not claim that nothing changed', async () => {
  const id = await createPayment()
  writeFileSync(join(bench.folder, 'r.csv'), `paymentId,amount\n${id},5.00 EUR\n${id},6.00 EUR\n`)
  await bench.runPay('--sandbox batch plan refund r.csv')
  await bench.runPay(
    `sandbox faults add --on ${JSON.stringify('POST /payments/*/refund')} --do status=422 --times 1`,
  )
  const applied = await bench.runPay('--sandbox batch apply r.plan.ndjson --json --concurrency 1', {
    onStdout,
  })
  expect(applied.exitCode).toBe(1)
  expect(errorOf(applied)).toMatchObject({ outcome: 'unknown' })
})

test('a declined payment and a read change nothing', async () => {
  const declined = await bench.runPay(
    '--sandbox payment create --token tok_declined --amount 500 --currency EUR --order-id A-2 --json',
    { onStdout },
  )
  expect(errorOf(declined)).toMatchObject({ exitCode: 1, outcome: 'none' })
  const listed = await bench.runPay('--sandbox payment list --json', { onStdout })
  expect(errorOf(listed)).toMatchObject({ exitCode: 1, outcome: 'none' })
})
