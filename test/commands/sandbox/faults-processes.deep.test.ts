import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { useSpawnBench } from '../../support/use-spawn-bench.ts'

const bench = useBench()
const processes = useSpawnBench()

const ADD = "sandbox faults add --on 'GET /payments' --do status=503 --rate 0.5 --seed 7"
const LIST = '--sandbox payment list --max-retries 0'
const COUNT = 8

test('a seed picks the same requests for one process and for many', async () => {
  const inProcess: (number | null)[] = []
  await bench.runPay(ADD)
  for (let count = 0; count < COUNT; count += 1) inProcess.push((await bench.runPay(LIST)).exitCode)
  await processes.pay(ADD)
  const spawned: (number | null)[] = []
  for (let count = 0; count < COUNT; count += 1) spawned.push((await processes.pay(LIST)).exitCode)
  expect(spawned).toEqual(inProcess)
  expect(new Set(spawned)).toEqual(new Set([0, 11]))
  const { stdout } = await processes.pay('sandbox faults list --json')
  expect(JSON.parse(stdout)).toMatchObject([
    { matched: COUNT, fired: spawned.filter((code) => code === 11).length },
  ])
  const log = await processes.pay("sandbox requests --query '[].status'")
  expect(JSON.parse(log.stdout)).toEqual(spawned.map((code) => (code === 0 ? 200 : 503)).toReversed())
})

test("a refund with a lost response is applied once, as another process's log shows", async () => {
  const made = await processes.pay(
    '--sandbox payment create --token tok_autocapture --amount 1000 --currency EUR --order-id A-1 -o id',
  )
  const id = made.stdout.trim()
  await processes.pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1")
  const refunded = await processes.pay(
    `--sandbox payment refund ${id} --amount 300 --query processor.amountRefunded`,
  )
  expect(refunded).toMatchObject({ exitCode: 0, stdout: '300\n' })
  const applied = "sandbox requests --on 'POST /payments/*/refund' --query '[].[fault, applied]'"
  expect(JSON.parse((await processes.pay(applied)).stdout)).toEqual([
    [null, false],
    ['drop-after', true],
  ])
})
