import { describe, expect, test } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import type { Reopened } from '../../../src/client/ledger/reopen.ts'
import { errorOf } from '../../support/run-result.ts'
import { createOpsBench, fieldsIn, having, ok, sentBy } from './ops-bench.ts'

test('records who, when and why, and unblocks the target', async () => {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund()
  const blocked = await bench.runPay(`--sandbox payment refund ${paymentId} --amount 100`)
  expect(blocked).toMatchObject({ exitCode: 6, requests: [] })
  bench.clock.now = new Date('2026-03-01T13:00:00.000Z')
  const ran = await ok(bench.runPay(`ops abandon ${id} --reason 'not at the provider, SUP-1042' --json`))
  expect(ran.requests).toEqual([])
  const [abandoned = {}] = fieldsIn(`[${ran.stdout}]`)
  expect(abandoned).toMatchObject({
    id,
    state: 'abandoned',
    updatedAt: '2026-03-01T13:00:00.000Z',
    reason: 'not at the provider, SUP-1042',
    exitCode: 10,
  })
  expect(await bench.operation(id)).toMatchObject({ state: 'abandoned' })
  expect((await bench.runPay(`ops show ${id}`)).stdout).toContain(
    'Abandoned by tester on test-machine: not at the provider, SUP-1042',
  )
  await ok(bench.runPay(`--sandbox payment refund ${paymentId} --amount 100`))
})

test('keeps the reason given with the write', async () => {
  const bench = createOpsBench()
  const paymentId = await bench.payment('A-1')
  const id = await bench.lose(
    `--sandbox payment refund ${paymentId} --amount 100 --reason damaged`,
    'POST /payments/*/refund',
  )
  await ok(bench.runPay(`ops abandon ${id} --reason looked`))
  expect(await bench.operation(id)).toMatchObject({ reason: 'damaged' })
  expect((await bench.runPay(`ops show ${id} --json`)).stdout).toContain(': looked"')
})

test('removes card numbers from the reason', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  await ok(bench.runPay(`ops abandon ${id} --reason 'card 4111 1111 1111 1111'`))
  expect(await bench.operation(id)).toMatchObject({ reason: 'card [card number]' })
})

test('removes keys and e-mail addresses from the reason', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const env = { PAY_API_KEY: 'key_in_the_environment_1' }
  const reason = 'sandbox_all and key_in_the_environment_1, says jane.doe@example.com'
  await ok(bench.runPay(['ops', 'abandon', id, '--reason', reason], { env }))
  const kept = String((await bench.operation(id))['reason'])
  for (const secret of ['sandbox_all', 'key_in_the_environment_1', 'jane']) expect(kept).not.toContain(secret)
})

describe('a ledger that fails while it records the decision', () => {
  const failed = new PayError('ledger_unusable', EXIT.internal, 'The disk failed', { outcome: 'none' })
  const abandonOn = async (reopened: (open: Reopened) => Reopened) => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    const ran = await bench.runPay(`ops abandon ${id}`, {
      withLedger: (ledger) => ({
        ...ledger,
        reopen: async (...given) => reopened(await ledger.reopen(...given)),
      }),
    })
    return { ...ran, id }
  }

  test('and still has the write as open is said to have changed nothing', async () => {
    const ran = await abandonOn((open) => ({ ...open, abandon: () => Promise.reject(failed) }))
    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('The disk failed')
    expect(ran.stderr).toContain('this command changed nothing: no record was abandoned')
  })

  test.each([
    [
      'has kept it',
      (open: Reopened) => ({
        abandon: (words: string | undefined) => open.abandon(words).then(() => Promise.reject(failed)),
      }),
    ],
    [
      'can not be read',
      () => ({ abandon: () => Promise.reject(failed), standing: () => Promise.reject(failed) }),
    ],
  ])('and %s is not', async (_, more) => {
    const ran = await abandonOn((open) => ({ ...open, ...more(open) }))
    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('may have kept that')
    expect(ran.stderr).toContain(`pay ops show ${ran.id}`)
    expect(ran.stderr).not.toMatch(/nothing changed|changed nothing|no money moved/)
  })
})

test('prints what was abandoned and how to read it', async () => {
  const bench = createOpsBench()
  const { id, paymentId } = await bench.lostRefund()
  const { stdout } = await ok(bench.runPay(`ops abandon ${id}`))
  expect(stdout).toBe(
    `Abandoned: payment.refund of 2.00 EUR on ${paymentId} (${id})\n  pay --sandbox payment get ${paymentId}\n`,
  )
})

describe('on a terminal', () => {
  const question = (paymentId: string) => `Abandon payment.refund of 2.00 EUR on ${paymentId}?`

  test('shows the operation and what may have happened, then asks', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    const ran = await ok(bench.runPay(`ops abandon ${id}`, { answers: { [question(paymentId)]: true } }))
    expect(ran.stderr).toContain('? IN DOUBT')
    expect(ran.stderr).toContain('If this write was done, repeating it does it twice')
    expect(ran.stderr).not.toContain('pay ops resolve')
    expect(await bench.operation(id)).toMatchObject({ state: 'abandoned' })
  })

  test('No changes nothing, and the operation can still be resolved', async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    const before = bench.records()
    const ran = await bench.runPay(`ops abandon ${id}`, { answers: { [question(paymentId)]: false } })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('Not confirmed: nothing was changed')
    expect(bench.records()).toEqual(before)
    await ok(bench.runPay(`ops resolve ${id}`))
  })

  test('--yes answers the question', async () => {
    const bench = createOpsBench()
    const { id } = await bench.lostRefund()
    await ok(bench.runPay(`ops abandon ${id} --yes`, { tty: true }))
    expect(await bench.operation(id)).toMatchObject({ state: 'abandoned' })
  })
})

test('of a live profile, without a terminal needs --yes', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  bench.rewrite(id, having({ mode: 'live' }))
  const refused = await bench.runPay(`ops abandon ${id} --json`)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(errorOf(refused)).toMatchObject({ code: 'confirmation_needed', outcome: 'unknown' })
  expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
  await ok(bench.runPay(`ops abandon ${id} --yes`))
  expect(await bench.operation(id)).toMatchObject({ state: 'abandoned' })
})

test('--dry-run changes nothing', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  const ran = await ok(bench.runPay(`ops abandon ${id} --dry-run`))
  expect(ran.stdout).toContain('Would be abandoned: payment.refund')
  expect(ran.stderr).toContain('Nothing was changed')
  expect(await bench.operation(id)).toMatchObject({ state: 'in-doubt' })
})

test('refuses an operation that a process is still sending', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  bench.rewrite(id, sentBy(process.pid))
  const refused = await bench.runPay(`ops abandon ${id} --yes --json`)
  expect(refused).toMatchObject({ exitCode: 6, stdout: '' })
  expect(errorOf(refused)).toMatchObject({ code: 'in_progress', operationId: id })
  expect(await bench.operation(id)).toMatchObject({ state: 'sending' })
})

test('refuses a finished operation and reports its state', async () => {
  const bench = createOpsBench()
  const { id } = await bench.lostRefund()
  await ok(bench.runPay(`ops resolve ${id}`))
  const refused = await bench.runPay(`ops abandon ${id} --json`)
  expect(refused).toMatchObject({ exitCode: 6, stdout: '' })
  const error = errorOf(refused)
  expect(error).toMatchObject({ code: 'not_open', message: expect.stringContaining('is confirmed') })
  expect(error).not.toHaveProperty('outcome')
})

describe('a record that cannot be read', () => {
  const damaged = async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    bench.damage(id)
    return { bench, name: id, paymentId }
  }

  test('is set aside, and blocks nothing', async () => {
    const { bench, name, paymentId } = await damaged()
    const blocked = await bench.runPay(`--sandbox payment refund ${paymentId} --amount 100 --json`)
    expect(errorOf(blocked)).toMatchObject({ code: 'ledger_damaged', next: [`pay ops abandon ${name}`] })
    const ran = await ok(bench.runPay(`ops abandon ${name} --yes --json`))
    expect(JSON.parse(ran.stdout)).toEqual({ damaged: name, setAside: 'ledger.db, table set_aside' })
    await ok(bench.runPay(`--sandbox payment refund ${paymentId} --amount 100`))
  })

  test('needs --yes without a terminal, since its money may be real', async () => {
    const { bench, name } = await damaged()
    expect(await bench.runPay(`ops abandon ${name}`)).toMatchObject({ exitCode: 2, stdout: '' })
    expect((await bench.runPay(`ops show ${name}`)).exitCode).toBe(6)
  })

  test('asks on a terminal', async () => {
    const { bench, name } = await damaged()
    const question = `Set aside the unreadable record ${name}, so that it blocks nothing?`
    expect(await bench.runPay(`ops abandon ${name}`, { answers: { [question]: false } })).toMatchObject({
      exitCode: 2,
    })
    const ran = await ok(bench.runPay(`ops abandon ${name}`, { answers: { [question]: true } }))
    expect(ran.stdout).toContain('Set aside; it blocks nothing:')
  })

  test('stays where it is with --dry-run', async () => {
    const { bench, name } = await damaged()
    const ran = await ok(bench.runPay(`ops abandon ${name} --dry-run`))
    expect(ran.stdout).toContain('would be set aside')
    expect((await bench.runPay(`ops show ${name}`)).exitCode).toBe(6)
  })
})

describe('an operation whose process is known only by its PID', () => {
  const unsure = async () => {
    const bench = createOpsBench()
    const { id, paymentId } = await bench.lostRefund()
    bench.rewrite(id, sentBy(process.pid, null))
    return { bench, id, paymentId }
  }

  test('needs --yes on any account', async () => {
    const { bench, id } = await unsure()
    const refused = await bench.runPay(`ops abandon ${id} --json`)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(errorOf(refused)).toMatchObject({
      code: 'confirmation_needed',
      message: expect.stringContaining(`process ${process.pid} may still be sending`),
    })
    expect(await bench.operation(id)).toMatchObject({ state: 'sending' })
    await ok(bench.runPay(`ops abandon ${id} --yes`))
    expect(await bench.operation(id)).toMatchObject({ state: 'abandoned' })
  })

  test('asks on a terminal before it changes anything', async () => {
    const { bench, id, paymentId } = await unsure()
    const question = `Abandon payment.refund of 2.00 EUR on ${paymentId}, though process ${process.pid} may still be sending it?`
    const before = bench.records()
    expect(await bench.runPay(`ops abandon ${id}`, { answers: { [question]: false } })).toMatchObject({
      exitCode: 2,
    })
    expect(bench.records()).toEqual(before)
    await ok(bench.runPay(`ops abandon ${id}`, { answers: { [question]: true } }))
    expect(await bench.operation(id)).toMatchObject({ state: 'abandoned' })
  })

  test('is not resolved, since that process may still be sending it', async () => {
    const { bench, id } = await unsure()
    const ran = await bench.runPay(`ops resolve ${id} --json`)
    expect(ran).toMatchObject({ exitCode: 6, requests: [] })
    expect(errorOf(ran)).toMatchObject({
      code: 'in_progress',
      next: [`pay ops show ${id}`, `pay ops abandon ${id}`],
    })
  })
})
