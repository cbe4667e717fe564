import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const POINTS = '--connection-id points-1 --customer-id c-1 --order-id A-1'
const service = { env: SERVICE_ENV, service: () => jsonAnswer(200, { id: 'l1' }) }

describe.each([
  ['redeem', 'REDEMPTION', 'REFUND'],
  ['refund', 'REFUND', 'REDEMPTION'],
])('loyalty %s', (verb, type, other) => {
  test(`sends type ${type}`, async () => {
    const result = await bench.runPay(`loyalty ${verb} ${POINTS} --value 250`, service)
    expect(JSON.parse(result.requests[0]?.body ?? '')).toEqual({
      connectionId: 'points-1',
      customerId: 'c-1',
      orderId: 'A-1',
      value: 250,
      type,
    })
  })

  test('accepts a body with the same type and refuses another', async () => {
    const words = ['loyalty', verb, ...POINTS.split(' '), '--value', '5', '--set']
    expect(await bench.runPay([...words, `type=${type}`], service)).toMatchObject({ exitCode: 0 })
    for (const wrong of [`type=${other}`, 'type=GIFT', 'type:=null']) {
      const result = await bench.runPay([...words, wrong], service)
      expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    }
  })

  test.each(['0', '-5', '1.5', '1e3', '', 'all', '9007199254740992', '5 points'])(
    'refuses --value "%s"',
    async (value) => {
      const words = ['loyalty', verb, ...POINTS.split(' '), '--value', value]
      expect(await bench.runPay(words, service)).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    },
  )

  test.each(['connection-id', 'customer-id', 'order-id'])('refuses an empty --%s', async (flag) => {
    const words = ['loyalty', verb, ...POINTS.split(' '), '--value', '5']
    const result = await bench.runPay(words.with(words.indexOf(`--${flag}`) + 1, ''), service)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })

  test('lists all missing flags in one error', async () => {
    const result = await bench.runPay(`loyalty ${verb} --json`, service)
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
    expect(result.stderr).toContain('--connection-id, --customer-id, --order-id, --value')
  })
})

test('redeems and refunds points in the sandbox', async () => {
  const redeem = (value: number) => bench.runPay(`--sandbox loyalty redeem ${POINTS} --value ${value} --json`)
  expect(JSON.parse((await redeem(250)).stdout)).toMatchObject({ type: 'REDEMPTION', value: 250 })
  expect(await redeem(9751)).toMatchObject({ exitCode: 3, stdout: '' })
  expect(await bench.runPay(`--sandbox loyalty refund ${POINTS} --value 250`)).toMatchObject({ exitCode: 0 })
  expect(await redeem(10_000)).toMatchObject({ exitCode: 0 })
})

test('exits 5 for an unknown connection', async () => {
  const words = '--sandbox loyalty redeem --connection-id nobody --customer-id c --order-id o --value 1'
  expect(await bench.runPay(words)).toMatchObject({ exitCode: 5, stdout: '' })
})

test('is not resent if the response is lost: exit 10', async () => {
  const result = await bench.runPay(`loyalty redeem ${POINTS} --value 1 --json`, {
    env: SERVICE_ENV,
    service: () => jsonAnswer(500, {}),
  })
  expect(result).toMatchObject({ exitCode: 10, stdout: '' })
  expect(result.requests).toHaveLength(1)
})

test('before the question, says which points were redeemed and returned for the order', async () => {
  const line = `${POINTS} --profile shop`
  const points = () => jsonAnswer(200, { id: 'l1' })
  await storeProfile(bench, { mode: 'live' })
  await bench.runPay(`loyalty redeem ${line} --value 500 --yes`, { service: points })
  await bench.runPay(`loyalty refund ${line} --value 450 --yes`, { service: points })
  const ran = await bench.runPay(`loyalty refund ${line} --value 5000`, {
    service: points,
    answers: { Confirm: false },
    columns: 200,
    env: { NO_COLOR: '1' },
  })
  expect(ran.stderr).toContain(
    '! Earlier for order A-1: 450 points returned (less than a minute ago); 500 points (less than a minute ago)\n',
  )
  expect(ran.requests).toEqual([])
  const first = await bench.runPay(`loyalty refund ${line.replace('A-1', 'A-2')} --value 5`, {
    service: points,
    answers: { Confirm: false },
  })
  expect(first.stderr).not.toContain('Earlier')
})
