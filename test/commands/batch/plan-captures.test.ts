import { describe, expect, test } from 'vitest'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { useBatchBench } from './batch-bench.ts'

const { pay, payment, plan, rowsIn, write } = useBatchBench()

const authorized = (orderId: string) => payment(orderId, { token: 'tok_visa', amount: '80.00 EUR' })
const TWO = 'orderId,amount\nA-1,30.00 EUR\nA-1,20.00 EUR\n'

const effects = ({ rows }: Awaited<ReturnType<typeof plan>>) =>
  rows.map(({ verdict, final, releases }) => [verdict, final, releases])
const sentBy = async () => writesOf(await pay('batch apply in.plan.ndjson')).map(({ body }) => body)

describe('of several captures of a payment', () => {
  test('the last releases the rest, and the plan says how much', async () => {
    const id = await authorized('A-1')
    const planned = await plan('capture', TWO)
    expect(planned.exitCode).toBe(0)
    expect(effects(planned)).toEqual([
      ['ready', false, undefined],
      ['ready', undefined, 3000],
    ])
    expect(planned.answer).toMatchObject({
      totals: [{ currencyCode: 'EUR', count: 2, amount: 5000 }],
      releases: [{ currencyCode: 'EUR', count: 1, amount: 3000 }],
    })
    const shown = await pay('batch show in.plan.ndjson')
    expect(shown.stdout).toContain(' releases 30.00 EUR in 1 row\n')
    expect(shown.stdout).toMatch(new RegExp(` 2 +3 +${id} +A-1 +20\\.00 EUR +ready +releases 30\\.00 EUR`))
    expect((await pay('batch approve in.plan.ndjson --key key')).stderr).toContain(
      'capture 50.00 EUR in 2 rows; releases 30.00 EUR in 1 row.',
    )
    expect(await sentBy()).toEqual(['{"amount":3000,"final":false}', '{"amount":2000}'])
  })

  test.each([
    ['--no-final', TWO],
    ['false in its column final', 'orderId,amount,final\nA-1,30.00 EUR,\nA-1,20.00 EUR,False\n'],
  ])('none releases anything with %s', async (how, csv) => {
    const id = await authorized('A-1')
    const planned = await plan('capture', csv, how.startsWith('--') ? how : '')
    expect(effects(planned)).toEqual([
      ['ready', false, undefined],
      ['ready', false, undefined],
    ])
    expect(planned.answer).not.toHaveProperty('releases')
    expect(await sentBy()).toEqual(['{"amount":3000,"final":false}', '{"amount":2000,"final":false}'])
    expect(JSON.parse((await pay(`payment get ${id} --json`)).stdout)).toMatchObject({
      status: 'PARTIALLY_SETTLED',
    })
  })

  test('the last is found by payment and by order, far apart', async () => {
    const id = await authorized('A-1')
    const others = Array.from({ length: 300 }, (_, at) => `,B-${at},0.01 EUR\n`).join('')
    const { rows } = await plan(
      'capture',
      `paymentId,orderId,amount\n${id},,30.00 EUR\n${others},A-1,20.00 EUR\n`,
    )
    expect(rows[0]).toMatchObject({ verdict: 'ready', final: false })
    expect(rows.at(-1)).toMatchObject({ verdict: 'ready', releases: 3000 })
  })

  test('the ready ones release nothing that a row which is not ready asks for', async () => {
    await authorized('A-1')
    expect(effects(await plan('capture', 'orderId,amount\nA-1,30.00 EUR\nA-1,60.00 EUR\n'))).toEqual([
      ['ready', false, undefined],
      ['exceeds_remaining', undefined, undefined],
    ])
    expect(await sentBy()).toEqual(['{"amount":3000,"final":false}'])
  })

  test('the last releases nothing if it takes all', async () => {
    await authorized('A-1')
    expect(effects(await plan('capture', 'orderId,amount\nA-1,30.00 EUR\nA-1,all\n'))).toEqual([
      ['ready', false, undefined],
      ['ready', undefined, undefined],
    ])
  })

  test('only the last may say that it is final', async () => {
    await authorized('A-1')
    const csv = 'orderId,amount,final\nA-1,30.00 EUR,true\nA-1,20.00 EUR,TRUE\n'
    const { rows } = await plan('capture', csv)
    expect(rows).toMatchObject([
      {
        verdict: 'bad_row',
        message:
          'final is true, but row 2 captures the same payment: clear final, or move this row to the end',
      },
      { verdict: 'ready', releases: 6000 },
    ])
  })
})

describe('final is bad_row', () => {
  test('with another word', async () => {
    await authorized('A-1')
    const { rows } = await plan('capture', 'orderId,amount,final\nA-1,1,maybe\n')
    expect(rows[0]).toMatchObject({ verdict: 'bad_row', message: 'final "maybe" is neither true nor false' })
  })

  test('in NDJSON with another word or type', async () => {
    await authorized('A-1')
    const finals = ['"maybe"', '1', '"false"', 'false']
    write('in.ndjson', finals.map((final) => `{"orderId":"A-1","amount":1,"final":${final}}\n`).join(''))
    await pay('batch plan capture in.ndjson --again')
    expect(rowsIn('in.plan.ndjson').map(({ verdict }) => verdict)).toEqual([
      'bad_row',
      'bad_row',
      'ready',
      'ready',
    ])
  })

  test('for a refund', async () => {
    await payment('A-1')
    const { rows } = await plan('refund', 'orderId,amount,final\nA-1,1,true\nA-1,2,\n')
    expect(rows.map(({ message }) => message)).toEqual([
      'only a capture can be final: clear final',
      undefined,
    ])
  })
})

describe('--no-final is refused', () => {
  test('with a column final, or final in a row of NDJSON', async () => {
    await authorized('A-1')
    write('in.csv', 'orderId,amount,final\nA-1,1,false\n')
    write('in.ndjson', '{"orderId":"A-1","amount":1}\n{"orderId":"A-1","amount":2,"final":false}\n')
    for (const name of ['in.csv', 'in.ndjson']) {
      const ran = await pay(`batch plan capture ${name} --no-final --json`)
      expect(ran.exitCode).toBe(2)
      expect(errorOf(ran)).toMatchObject({ code: 'two_sources' })
    }
  })

  test.each(['refund', 'cancel'])('for a %s', async (operation) => {
    write('in.csv', 'orderId,amount\nA-1,1\n')
    expect(await pay(`batch plan ${operation} in.csv --no-final`)).toMatchObject({
      exitCode: 2,
      requests: [],
    })
  })
})
