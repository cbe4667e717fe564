import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

test('a lost refund in a sandbox whose clock was advanced is no remedy of itself', async () => {
  const created = await bench.runPay(
    '--sandbox payment create --token tok_autocapture --amount 5000 --currency EUR --order-id A-1 -o id',
  )
  const id = created.stdout.trim()
  await bench.runPay('sandbox clock advance 2h')
  await bench.runPay(['sandbox', 'faults', 'add', '--on', 'POST /payments/*/refund', '--do', 'drop-after'])
  const lost = await bench.runPay(`--sandbox payment refund ${id} --amount 500 --max-retries 0`)
  expect(lost.exitCode).toBe(10)
  await bench.runPay('sandbox faults clear')
  const resolved = await bench.runPay('ops resolve --all')
  expect(resolved).toMatchObject({ stdout: expect.stringContaining('confirmed'), exitCode: 0 })
  const shown = await bench.runPay(`--sandbox payment get ${id} --query processor.amountRefunded`)
  expect(shown.stdout.trim()).toBe('500')
})
