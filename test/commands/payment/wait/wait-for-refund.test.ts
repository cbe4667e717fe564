import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'
import { errorOf } from '../../../support/run-result.ts'
import { createCaptured } from './readings.ts'
import { REFUND, refund, service, withRefunds } from './refund-readings.ts'

const bench = useBench()

const recorded = async () => {
  const listed = await bench.runPay('ops list --operation payment.refund --json')
  const records: readonly { state: string; exitCode: number }[] = JSON.parse(listed.stdout)
  return records.map(({ state, exitCode }) => ({ state, exitCode }))
}

test('waits until the refund is settled and prints the final payment', async () => {
  const id = await createCaptured(bench, 'tok_visa')
  const made = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --wait --for 2h --json`)
  expect(made.exitCode).toBe(0)
  expect(JSON.parse(made.stdout)).toMatchObject({
    id,
    transactions: [{}, { transactionType: 'REFUND', processorStatus: 'SETTLED' }],
  })
  expect(made.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(await recorded()).toEqual([{ state: 'confirmed', exitCode: 0 }])
})

test('reports that the refund failed after it was accepted', async () => {
  const id = await createCaptured(bench, 'tok_refund_fails')
  const made = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --wait --for 2h --json`)
  expect(made.exitCode).toBe(13)
  expect(JSON.parse(made.stdout)).toMatchObject({ id, processor: { amountRefunded: 0 } })
  expect(errorOf(made)).toMatchObject({
    code: 'refund_failed',
    message: 'The refund was accepted but failed later: no money was returned to the customer',
    next: [`pay --sandbox payment explain ${id}`],
    paymentId: id,
    paymentStatus: 'SETTLED',
  })
})

test('a pending refund is not marked as failed', async () => {
  const made = await bench.runPay(
    `${REFUND} --for 1s`,
    service(withRefunds(refund('PENDING')), withRefunds(refund('PENDING'))),
  )
  expect(made.exitCode).toBe(8)
  expect(made.stderr).toContain('The refund was accepted but is not final yet')
  expect(made.stderr).not.toContain('✗')
})

test('the reason given for a refund is not shown as the reason of its failure', async () => {
  const asked = { reason: 'damaged in transit' }
  const failed = (more: object = {}) =>
    service(withRefunds(refund('PENDING', asked)), withRefunds(refund('FAILED', { ...asked, ...more })))
  const silent = await bench.runPay(REFUND, failed())
  expect(silent.exitCode).toBe(13)
  expect(silent.stdout.replaceAll(/\s+/g, ' ')).toContain(
    '✗ Failed (no failure reason given; refund reason: damaged in transit)',
  )
  expect(silent.stderr).not.toContain('damaged')
  const explained = await bench.runPay(
    `${REFUND} --json --again`,
    failed({
      processorStatusReason: { type: 'APPLICATION_ERROR', code: 'ERROR', message: 'account closed' },
    }),
  )
  expect(errorOf(explained)).toMatchObject({
    paymentId: 'p1',
    reason: { type: 'APPLICATION_ERROR', code: 'ERROR', message: 'account closed' },
  })
})

test('the receipt has the final outcome', async () => {
  const id = await createCaptured(bench, 'tok_refund_fails')
  const made = await bench.runPay(`--sandbox payment refund ${id} --amount 300 --wait --for 2h --receipt`)
  expect(made.stdout).toContain('failed: this refund returned no money')
})

test('a refund that is final in the response is not read again', async () => {
  const made = await bench.runPay(REFUND, service(withRefunds(refund('SETTLED'))))
  expect(made.exitCode).toBe(0)
  expect(made.requests).toHaveLength(1)
})

test.each(['CANCELLED', 'REJECTED', 'DECLINED', 'FAILED'])(
  'a refund that becomes %s exits 13',
  async (status) => {
    const made = await bench.runPay(
      `${REFUND} --json`,
      service(withRefunds(refund('PENDING')), withRefunds(refund(status))),
    )
    expect(made.exitCode).toBe(13)
    expect(errorOf(made)).toMatchObject({ code: 'refund_failed', outcome: 'none' })
  },
)

test.each(['CANCELLED', 'REJECTED'])('a refund that is %s in the response exits 13', async (status) => {
  const made = await bench.runPay(REFUND, service(withRefunds(refund(status))))
  expect(made.exitCode).toBe(13)
})

test('waits for a refund with an unknown status', async () => {
  const inReview = withRefunds(refund('IN_REVIEW'))
  const made = await bench.runPay(REFUND, service(inReview, inReview))
  expect(made).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('after 2m it is 3.00 EUR') })
})

describe('an incomplete wait never suggests that nothing was refunded', () => {
  const PENDING = withRefunds(refund('PENDING'))

  test.each([
    ['the time is up', PENDING, 'after 2m it is 3.00 EUR … Pending'],
    ['the service fails', 503, 'the last read failed'],
    ['the key may not read payments', 403, 'waiting failed'],
    ['the payment cannot be found', 404, 'waiting failed'],
  ])('%s', async (_, reading, words) => {
    const made = await bench.runPay(`${REFUND} --json`, service(PENDING, reading))
    expect(made.exitCode).toBe(8)
    expect(JSON.parse(made.stdout)).toEqual(PENDING)
    const error = errorOf(made)
    expect(error).toMatchObject({
      code: 'not_finished',
      exitCode: 8,
      outcome: 'applied',
      retryable: false,
      next: ['pay payment wait p1 --refund'],
    })
    expect(error['message']).toContain('The refund was accepted but is not final yet')
    expect(error['message']).toContain(words)
    expect(await recorded()).toEqual([{ state: 'confirmed', exitCode: 0 }])
  })

  test('Ctrl-C ends the wait', async () => {
    const stopped = new AbortController()
    const made = await bench.runPay(`${REFUND} --json`, {
      ...service(PENDING, PENDING),
      signal: stopped.signal,
      service: ({ method }) => {
        if (method === 'GET') stopped.abort('SIGINT')
        return jsonAnswer(200, PENDING)
      },
    })
    expect(made.exitCode).toBe(8)
    expect(errorOf(made)).toMatchObject({ code: 'not_finished', outcome: 'applied' })
  })

  test('the response has an unexpected shape and the payment shows no refund', async () => {
    const made = await bench.runPay(
      `${REFUND} --for 5s`,
      service({ id: 'p1', transactions: 'done' }, withRefunds()),
    )
    expect(made.exitCode).toBe(8)
    expect(made.stderr).toContain('not listed on the payment yet')
  })
})

test('a refund that ends in GATEWAY_TIMEOUT exits 10', async () => {
  const timedOut = refund('FAILED', { processorStatusReason: { type: 'GATEWAY_TIMEOUT' } })
  const made = await bench.runPay(
    `${REFUND} --json`,
    service(withRefunds(refund('PENDING')), withRefunds(timedOut)),
  )
  expect(made).toMatchObject({ exitCode: 10, stdout: '' })
  expect(errorOf(made)).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', retryable: false })
})

test('does not wait for a refused refund', async () => {
  const made = await bench.runPay(REFUND, {
    env: SERVICE_ENV,
    service: () => jsonAnswer(422, { error: { errorId: 'UnprocessableRefundAmount' } }),
  })
  expect(made).toMatchObject({ exitCode: 3, stdout: '' })
  expect(made.requests).toHaveLength(1)
})

test.each([
  ['--for 5m', 'Add --wait'],
  ['--wait --for soon', '--for takes a positive duration'],
])('%s is refused before anything is sent', async (flags, words) => {
  const made = await bench.runPay(`payment refund p1 --amount 300 ${flags}`, service({}))
  expect(made).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(made.stderr).toContain(words)
})

test('--dry-run does not wait', async () => {
  expect(await bench.runPay(`--sandbox ${REFUND} --dry-run`)).toMatchObject({ exitCode: 0, requests: [] })
})
