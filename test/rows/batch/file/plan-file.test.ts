import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openPlan } from '../../../../src/rows/batch/file/read-plan.ts'
import { writePlan } from '../../../../src/rows/batch/file/write-plan.ts'
import type { PlanRow } from '../../../../src/rows/batch/plan.ts'
import { NO_INPUT, planHeader } from '../../../support/batch-plan.ts'
import { rowOf } from './plan-row.ts'
import { useFolder } from '../../../support/folder.ts'

const HEADER = planHeader()

const folder = useFolder()
const path = () => join(folder(), 'a.plan.ndjson')

function written(rows: readonly PlanRow[], options: { readonly replaces?: boolean } = {}) {
  const writer = writePlan({ path: path(), shown: 'a', header: HEADER, replaces: false, ...options })
  for (const row of rows) writer.add(row)
  return writer.finish(NO_INPUT)
}

const rowsIn = (): readonly PlanRow[] => [...openPlan(path(), 'a').rows()]

/** Each run changes other bytes. */
const anyOf = (step: number): number => Math.floor(Math.random() * step)

/** What opening the bytes reports. */
function codeOf(bytes: Uint8Array | string): unknown {
  writeFileSync(path(), bytes)
  try {
    openPlan(path(), 'a')
    return 'opened'
  } catch (error) {
    return error instanceof Error && 'code' in error && 'exitCode' in error
      ? `${String(error.code)} ${String(error.exitCode)}`
      : error
  }
}

describe('a plan file', () => {
  const BAD = rowOf(2, {
    verdict: 'not_found',
    amount: undefined,
    currencyCode: undefined,
    figures: undefined,
  })

  test('reads back what was written, with totals of the ready rows', () => {
    const trailer = written([rowOf(1), BAD, rowOf(3), rowOf(4)])
    const plan = openPlan(path(), 'a')
    expect(plan.header).toEqual(HEADER)
    expect(plan.trailer).toEqual(trailer)
    expect(trailer).toMatchObject({
      rows: 4,
      ready: 3,
      refused: 1,
      totals: [
        { currencyCode: 'EUR', count: 2, amount: 204 },
        { currencyCode: 'JPY', count: 1, amount: 104 },
      ],
      verdicts: { not_found: 1, ready: 3 },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect([...plan.rows()]).toEqual([rowOf(1), BAD, rowOf(3), rowOf(4)])
  })

  test.each([0, 1, 998, 999, 1_000, 1_999, 2_500])('reads %d rows back, in order', (count) => {
    written(Array.from({ length: count }, (_, at) => rowOf(at + 1)))
    expect(rowsIn().map(({ row }) => row)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  })

  test('is readable by its owner alone, and has its name only when it is complete', () => {
    const writer = writePlan({ path: path(), shown: 'a', header: HEADER, replaces: false })
    writer.add(rowOf(1))
    expect(readdirSync(folder())).toEqual([`a.plan.ndjson.${HEADER.planId}.draft`])
    writer.finish(NO_INPUT)
    expect(readdirSync(folder())).toEqual(['a.plan.ndjson'])
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test('leaves nothing when it is discarded', () => {
    const writer = writePlan({ path: path(), shown: 'a', header: HEADER, replaces: false })
    writer.discard()
    writer.discard()
    expect(readdirSync(folder())).toEqual([])
  })

  test('never replaces a file unless asked to', () => {
    written([rowOf(1)])
    expect(() => written([rowOf(2)])).toThrow(expect.objectContaining({ code: 'plan_exists', exitCode: 2 }))
    written([rowOf(3)], { replaces: true })
    expect(rowsIn()).toEqual([rowOf(3)])
  })

  test('never replaces a file that appeared in the meantime', () => {
    const writer = writePlan({ path: path(), shown: 'a', header: HEADER, replaces: false })
    writeFileSync(path(), 'mine')
    expect(() => writer.finish(NO_INPUT)).toThrow(expect.objectContaining({ code: 'plan_exists' }))
    writer.discard()
    expect(readFileSync(path(), 'utf8')).toBe('mine')
    expect(readdirSync(folder())).toEqual(['a.plan.ndjson'])
  })

  test('names the problem of a folder that is missing', () => {
    const options = { path: join(folder(), 'no', 'a'), shown: 'no/a', header: HEADER, replaces: false }
    expect(() => writePlan(options)).toThrow('no/a cannot be written: there is no such folder')
  })

  test('refuses totals that would not be exact', () => {
    const writer = writePlan({ path: path(), shown: 'a', header: HEADER, replaces: false })
    writer.add(rowOf(1, { amount: Number.MAX_SAFE_INTEGER }))
    expect(() => writer.add(rowOf(3))).toThrow(
      expect.objectContaining({
        code: 'total_too_large',
        message: 'The ready rows add up to more than 90071992547409.91 EUR',
        details: expect.objectContaining({ hint: 'Check the amounts, or split the file.' }),
      }),
    )
    writer.discard()
  })
})

describe('a plan that was changed', () => {
  let bytes: Buffer
  beforeEach(() => {
    written([rowOf(1), rowOf(2), rowOf(3)])
    bytes = readFileSync(path())
  })

  test('is refused whichever byte was changed', () => {
    for (let at = anyOf(5); at < bytes.length; at += 5) {
      const changed = Buffer.from(bytes)
      changed[at] = (bytes[at] ?? 0) ^ 1
      expect([at, codeOf(changed)]).toEqual([
        at,
        expect.stringMatching(/^(?:plan_changed|plan_version|not_a_plan) 2$/),
      ])
    }
  })

  test('is refused no matter where it was cut', () => {
    for (let length = anyOf(5); length < bytes.length; length += 5)
      expect([length, codeOf(bytes.subarray(0, length))]).toEqual([
        length,
        expect.stringMatching(/^(?:plan_changed|not_a_plan) 2$/),
      ])
  })

  test('is refused without one of its lines, with lines swapped, repeated or added', () => {
    const lines = bytes.toString().match(/.*\n/g) ?? []
    const [header = '', first = '', second = '', third = '', end = ''] = lines
    for (const changed of [
      [first, second, third, end],
      [header, second, third, end],
      [header, first, third, end],
      [header, second, first, third, end],
      [header, first, first, second, third, end],
      [header, first, second, third, end, end],
      [header, first, second, third, end, '\n'],
      [header, first, second, end, third],
      [header, first, second, third],
    ])
      expect(codeOf(changed.join(''))).toMatch(/^(?:plan_changed|not_a_plan) 2$/)
  })

  test('is refused if its version is another', () => {
    expect(codeOf(bytes.toString().replace('"version":1', '"version":2'))).toBe('plan_version 2')
  })

  test.each([
    ['a missing file', undefined, 'unreadable_file 2'],
    ['an empty file', '', 'not_a_plan 2'],
    ['a CSV file', 'paymentId,amount\npay_1,100\n', 'not_a_plan 2'],
    ['other NDJSON', '{"paymentId":"pay_1"}\n', 'not_a_plan 2'],
    ['one endless line', 'x'.repeat(9 * 1024 * 1024), 'not_a_plan 2'],
  ])('names %s', (_, content, code) => {
    if (content === undefined) {
      rmSync(path())
      expect(() => openPlan(path(), 'a')).toThrow('a cannot be read: there is no such file')
    } else expect(codeOf(content)).toBe(code)
  })

  test('is applied as it was checked, whatever is written to it later', () => {
    rmSync(path())
    written(Array.from({ length: 2_500 }, (_, at) => rowOf(at + 1)))
    const { rows } = openPlan(path(), 'a')
    writeFileSync(path(), readFileSync(path(), 'utf8').replace('"pay_1500"', '"pay_9999"'))
    for (let times = 0; times < 2; times += 1)
      expect([...rows()]).toEqual(Array.from({ length: 2_500 }, (_, at) => rowOf(at + 1)))
  })
})
