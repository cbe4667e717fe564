import { describe, expect, test } from 'vitest'
import { isRecord } from '../../../src/json/is-record.ts'
import { useBench } from '../../support/use-bench.ts'
import { atDesk } from '../desk/at-desk.ts'

const bench = useBench()

const idsIn = (stdout: string): readonly string[] => stdout.split('\n').filter((id) => id !== '')

const find = async (words: readonly string[]) =>
  idsIn((await bench.runPay(['--sandbox', 'find', ...words, '--limit', '100', '-o', 'id'])).stdout)

async function searchDashboard(words: readonly string[]): Promise<readonly string[]> {
  const search = encodeURIComponent(words.join(' '))
  const path = `/sandbox/records?limit=100&search=${search}`
  const { stdout } = await bench.runPay(['--sandbox', 'api', 'GET', path, '--json'])
  const answer: unknown = JSON.parse(stdout)
  const data = isRecord(answer) && Array.isArray(answer['data']) ? answer['data'] : []
  return data.flatMap((row: unknown) => (isRecord(row) ? [String(row['id'])] : []))
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
]

describe('pay find, the desk and the dashboard', () => {
  test('find the same payments for what people type', { timeout: 120_000 }, async () => {
    await bench.runPay('sandbox seed --payments 200')
    const all = idsIn((await bench.runPay('--sandbox payment list --all -o id')).stdout)
    const desk = atDesk(bench, 'desk --sandbox', { isPlain: true })
    await desk.see('? Search:')
    for (const [words, count] of TYPED) {
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
    await desk.pressUntilItEnds('\n')
  })
})
