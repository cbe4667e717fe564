import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, fieldsIn, having, ok, sentBy } from './ops-bench.ts'

test('shows an operation in doubt with its stored request and what to do next', async () => {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund()
  const { stdout } = await ok(bench.runPay(`ops show ${id}`))
  for (const line of [
    `ID               ${id}`,
    `Operation        payment.refund of 2.00 EUR on ${paymentId}`,
    'State            ? IN DOUBT (it may or may not have been applied)',
    'Exit code        10',
    'Profile          sandbox (test)',
    'Base URL         http://sandbox.localhost',
    'Sent by          tester on test-machine, pay 0.0.0-test',
    'Started          2026-03-01 12:00:00 UTC',
    `Request          POST /payments/${paymentId}/refund`,
    'Body             {"amount":200}',
    `Next             pay ops resolve ${id}`,
    `                 pay --sandbox payment get ${paymentId}`,
    `                 pay ops abandon ${id}`,
  ])
    expect(stdout.split('\n')).toContain(line)
})

test('JSON has the fields of the record, then the details', async () => {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund()
  const [shown = {}] = fieldsIn(`[${(await ok(bench.runPay(`ops show ${id} --json`))).stdout}]`)
  const record = await bench.operation(id)
  expect(shown).toEqual({
    ...record,
    baseUrl: 'http://sandbox.localhost',
    mode: 'test',
    apiVersion: '2.1',
    resource: null,
    note: null,
    request: { method: 'POST', path: `/payments/${paymentId}/refund`, body: '{"amount":200}' },
    atWork: null,
    next: [`pay ops resolve ${id}`, `pay --sandbox payment get ${paymentId}`, `pay ops abandon ${id}`],
  })
  expect(Object.keys(shown).slice(0, 16)).toEqual(Object.keys(record))
  expect((await bench.runPay(`ops show ${id} -o id`)).stdout).toBe(`${id}\n`)
  expect((await bench.runPay(`ops show ${id} -o csv`)).stdout.split('\n')[0]).toMatch(/^id,operation,/)
})

test('shows what a finished operation created, without its request', async () => {
  const bench = createOpsBench()
  const paymentId = await bench.payment('A-1')
  const [{ id } = { id: '' }] = await bench.list()
  const { stdout } = await ok(bench.runPay(`ops show ${String(id)}`))
  expect(stdout).toContain('✓ confirmed')
  expect(stdout).toMatch(new RegExp(`^Created +${paymentId}$`, 'm'))
  expect(stdout).toContain(`pay --sandbox payment get ${paymentId}`)
  expect(stdout).not.toMatch(/^(Request|Body)/m)
})

test('suggests listing the order of a new payment in doubt', async () => {
  const bench = createOpsBench()
  const id = await bench.lose(
    "--sandbox payment create --token tok_visa --amount '5 EUR' --order-id A-7",
    'POST /payments',
  )
  expect((await ok(bench.runPay(`ops show ${id}`))).stdout).toContain(
    'pay --sandbox payment list --order-id A-7',
  )
})

test('names the process that is sending it', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  bench.rewrite(id, sentBy(process.pid))
  const { stdout } = await ok(bench.runPay(`ops show ${id}`))
  expect(stdout).toMatch(/^State +… sending \(being sent\)$/m)
  expect(stdout).toMatch(new RegExp(`^Running +process ${process.pid} on test-machine$`, 'm'))
  expect(stdout).not.toContain('Next')
})

test('shows a confirmed decline as declined', async () => {
  const bench = createOpsBench()
  await bench.runPay("--sandbox payment create --token tok_declined --amount '5 EUR' --order-id A-1")
  const [{ id } = { id: '' }] = await bench.list()
  expect((await ok(bench.runPay(`ops show ${String(id)}`))).stdout).toContain('✗ declined')
})

test('suggests nothing that a shell would run', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  bench.rewrite(id, having({ target: '$(rm -rf ~)', profile: '`id`' }))
  const { stdout } = await ok(bench.runPay(`ops show ${id} --json`))
  const { next }: { readonly next: readonly string[] } = JSON.parse(stdout)
  const script = ['pay() { printf \'<%s>\' "$@"; }', ...next].join('\n')
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(
    `<ops><resolve><${id}><--profile><\`id\`><payment><get><$(rm -rf ~)><ops><abandon><${id}>`,
  )
})

describe('the id', () => {
  test('may be a unique prefix', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.rewrite(id, having({ id: 'abcd1234-9' }))
    expect((await bench.runPay('ops show abcd -o id')).stdout).toBe('abcd1234-9\n')
    expect((await bench.runPay('ops resolve abcd1 --json')).stdout).toContain('"abcd1234-9"')
    expect((await bench.runPay('ops show abcd -o id')).stdout).toBe('abcd1234-9\n')
  })

  test.each([
    ['of several operations', '00000000', 2, 'bad_value', 'Several operation IDs start with that'],
    ['too short', '000', 2, 'bad_value', 'first 4 characters'],
    ['empty', "''", 2, 'bad_value', 'first 4 characters'],
    ['of no operation', 'ffffffff', 5, 'no_such_operation', 'No operation has the ID ffffffff'],
  ])('%s is refused', async (_, typed, exitCode, code, said) => {
    const bench = createOpsBench()
    await bench.lostRefund()
    for (const verb of ['show', 'resolve', 'abandon']) {
      const refused = await bench.runPay(`ops ${verb} ${typed} --json`)
      expect(refused, verb).toMatchObject({ exitCode, stdout: '', requests: [] })
      expect(errorOf(refused)).toMatchObject({ code, message: expect.stringContaining(said) })
    }
  })

  test('that is missing is an error in a script', async () => {
    const bench = createOpsBench()
    for (const verb of ['show', 'abandon']) {
      const refused = await bench.runPay(`ops ${verb} --json`)
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
      expect(errorOf(refused).code).toBe('missing_input')
    }
  })

  test('is chosen from the open writes on a terminal', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    const shown = await ok(bench.runPay('ops show', { answers: { ID: id } }))
    expect(shown.stdout).toContain(id)
    expect(shown.offered['ID']).toEqual([
      expect.stringMatching(new RegExp(`refund.*${paymentId}.*2\\.00 EUR.*IN DOUBT`)),
    ])
    expect((await ok(bench.runPay('ops resolve', { answers: { ID: id } }))).stdout).toContain('confirmed')
    const abandoned = await bench.runPay('ops abandon', { answers: { ID: id } })
    expect(abandoned).toMatchObject({ exitCode: 6, offered: {} })
  })

  test('of an unreadable record is refused with what to do', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    bench.damage(id)
    for (const verb of ['show', 'resolve']) {
      const refused = await bench.runPay(`ops ${verb} ${id} --json`)
      expect(refused).toMatchObject({ exitCode: 6, stdout: '', requests: [] })
      expect(errorOf(refused)).toMatchObject({
        code: 'ledger_damaged',
        outcome: 'unknown',
        next: [`pay ops abandon ${id}`],
      })
    }
  })
})
