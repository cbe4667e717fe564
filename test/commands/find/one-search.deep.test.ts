import { describe, expect, test } from 'vitest'
import { isRecord } from '../../../src/json/is-record.ts'
import { useBench } from '../../support/use-bench.ts'
import { atDesk } from '../desk/at-desk.ts'

const bench = useBench()

const idsIn = (stdout: string): readonly string[] => stdout.split('\n').filter((id) => id !== '')

const find = async (words: readonly string[]) =>
  idsIn((await bench.runPay(['--sandbox', 'find', ...words, '--limit', '100', '-o', 'id'])).stdout)

async function readDashboard(words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const search = encodeURIComponent(words.join(' '))
  const path = `/sandbox/records?limit=100&search=${search}`
  const { stdout } = await bench.runPay(['--sandbox', 'api', 'GET', path, '--json'])
  const answer: unknown = JSON.parse(stdout)
  return isRecord(answer) ? answer : {}
}

async function searchDashboard(words: readonly string[]): Promise<readonly string[]> {
  const { data } = await readDashboard(words)
  return (Array.isArray(data) ? data : []).flatMap((row: unknown) =>
    isRecord(row) ? [String(row['id'])] : [],
  )
}

/** Made for the words that nothing in the seed fits, and with names that are words for states and times. */
const FURTHER = [
  {
    orderId: 'NOVEMBER-7',
    amount: 123_456,
    customerId: 'kd-müller',
    customer: { firstName: 'Jörg', lastName: 'Müller', mobileNumber: '+49 151 23456789' },
  },
  {
    orderId: '#7001',
    amount: 5000,
    customerId: 'refunded',
    customer: { firstName: 'Ida', lastName: 'Großmann', mobileNumber: '030/7654321' },
  },
]

/** A day, as people write days. The month is before the day only where the day shows it. */
function daysOf(at: string): readonly (readonly string[])[] {
  const [year = '', month = '', date = ''] = at.slice(0, 10).split('-')
  const name = new Date(at.slice(0, 10)).toLocaleString('en', { month: 'short', timeZone: 'UTC' })
  return [
    [`${date}.${month}.${year}`],
    [`${year}/${month}/${date}`],
    [date, name],
    [name, `${Number(date)}`, year],
    ...(date > '12' ? [[`${date}/${month}/${year}`], [`${month}/${date}/${year}`]] : []),
  ]
}

/** What a person types, and how many of the payments of `sandbox seed --payments 200` it finds; undefined for any number. */
const TYPED: readonly (readonly [line: readonly string[], count?: number])[] = [
  [['emma.moreau73@example.com'], 1],
  [['Emma.Moreau73@Example.com'], 1],
  [['emma.moreau73@'], 1],
  [['emma.moreau'], 1],
  [['emma', 'moreau']],
  [['moreau']],
  [['MOREAU']],
  [['name:morea']],
  [['mor']],
  [['email:emma']],
  [['A-1171'], 1],
  [['a-1171'], 1],
  [['1171'], 1],
  [['order:117'], 11],
  [['117'], 11],
  [['customer-73'], 1],
  [['CUSTOMER-73'], 1],
  [['customer:73'], 1],
  [['208'], 4],
  [['208,00'], 4],
  [['208.00'], 4],
  [['€208'], 4],
  [['208€'], 4],
  [['208 EUR'], 4],
  [['208', 'eur'], 4],
  [['amount:208'], 4],
  [['208', 'usd'], 0],
  [['4444', '208'], 2],
  [['208', '4444'], 2],
  [['last4:4444', '208.00'], 2],
  [['4444']],
  [['visa']],
  [['Mastercard', 'settled']],
  [['paypal']],
  [['declined']],
  [['partially-settled']],
  [['usd']],
  [['today']],
  [['7d', 'declined']],
  [['moreau', 'declined']],
  [['a-1171', 'declined'], 0],
  [['nobody'], 0],
  [['order:208'], 0],
  [['"A-1171"'], 1],
  [["'A-1171',"], 1],
  [['“A-1171”'], 1],
  [['(A-1171)'], 1],
  [['A–1171'], 1],
  [['\u200bA-1171'], 1],
  [['order:', 'A-1171'], 1],
  [['order', '#A-1171'], 1],
  [['Order:"A-1171"'], 1],
  [['customer', '73'], 1],
  [['Emma', 'Moreau', '<emma.moreau73@example.com>'], 1],
  [['mailto:emma.moreau73@example.com'], 1],
  [['order:#7001'], 1],
  [['7001'], 1],
  [['müller'], 1],
  [['MULLER'], 1],
  [['jorg', 'muller'], 1],
  [['grossmann'], 1],
  [['kd-muller'], 1],
  [['+49', '151', '23456789'], 1],
  [['0151', '2345', '6789'], 1],
  [['15123456'], 1],
  [['(030)', '765', '4321'], 1],
  [['phone:4321'], 1],
  [['••••', '4444']],
  [['Visa', '••••', '4242']],
  [['xxxx4444', '208'], 2],
  [['ending', 'in', '4444', 'settled']],
  [['1,234.56'], 1],
  [['1.234,56'], 1],
  [['1', '234,56', '€'], 1],
  [["1'234.56"], 1],
  [['€', '208'], 4],
  [['208', '€'], 4],
  [['208,-'], 4],
  [['208', 'euros'], 4],
  [['partially', 'settled']],
  [['canceled']],
  [['visa', 'declined']],
  [['moreau', '••••', '4444']],
  [['refunded']],
  [['partly', 'refunded']],
  [['Partial', 'refunds', 'eur']],
  [['fully-refunded']],
  [['refund', 'failed']],
  [['failed', 'refunds', 'eur']],
  [['refunded', '208']],
  [['declined', 'last', '3', 'weeks']],
  [['failed']],
  [['authorized']],
  [['captured']],
  [['refused']],
  [['order:refunded'], 0],
  [['customer:refunded'], 1],
  [['last', '30', 'days', 'declined']],
  [['last', 'week']],
  [['saturday']],
  [['saturday', 'visa']],
  [['since', 'last', 'month']],
  [['since', 'last', 'monday']],
  [['NOVEMBER-7'], 1],
  [['emma.moerau73@example.com'], 0],
]

/** Misspelt e-mails, and what is offered in their place. */
const NEAR = ['emma.moerau73', 'emma.moreau7', 'ema.moreau73', 'emma.moreau733', 'emna.moreau73']

describe('pay find, the desk and the dashboard', () => {
  test('find the same payments for what people type', { timeout: 120_000 }, async () => {
    await bench.runPay('sandbox seed --payments 200')
    for (const payment of FURTHER) {
      const body = JSON.stringify({ paymentMethodToken: 'tok_visa', currencyCode: 'EUR', ...payment })
      await bench.runPay(['--sandbox', 'payment', 'create', '--data', body])
    }
    const all = idsIn((await bench.runPay('--sandbox payment list --all -o id')).stdout)
    const desk = atDesk(bench, 'desk --sandbox', { isPlain: true })
    await desk.see('? Search:')
    const { stdout } = await bench.runPay(`--sandbox payment get ${all[20]} --query date -o id`)
    const days = daysOf(stdout).map((words) => [words, undefined] as const)
    for (const [words, count] of [...TYPED, ...days]) {
      const found = await find(words)
      const line = words.join(' ')
      expect([line, found.length]).toEqual([line, count ?? expect.toSatisfy((hits: number) => hits > 0)])
      expect([line, new Set(await searchDashboard(words))]).toEqual([line, new Set(found)])
      const before = desk.terminal.raw().length
      desk.type(`${line}\n`)
      await expect
        .poll(() => desk.terminal.raw().slice(before), { timeout: 8_000 })
        .toMatch(/found .*read \d\d:\d\d[^]*\? Search:/)
      const shown = desk.terminal.raw().slice(before)
      // The desk shows at least the newest 50.
      const newest = all.filter((id) => found.includes(id)).slice(0, 50)
      expect([line, all.filter((id) => shown.includes(id))]).toEqual([line, newest])
    }
    for (const person of NEAR) {
      const typed = `${person}@example.com`
      const offered = `No payment of ${typed}; similar: emma.moreau73@example.com`
      expect((await bench.runPay(['--sandbox', 'find', typed, 'settled'])).stderr).toContain(offered)
      expect(await readDashboard([typed, 'settled'])).toMatchObject({
        near: { typed, emails: ['emma.moreau73@example.com'] },
      })
      const before = desk.terminal.raw().length
      desk.type(`${typed} settled\n`)
      await expect.poll(() => desk.terminal.raw().slice(before), { timeout: 8_000 }).toContain(offered)
    }
    await desk.pressUntilItEnds('\n')
  })
})
