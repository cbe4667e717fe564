import { describe, expect, test } from 'vitest'
import { HEADER, csvOf, rowOf } from '../../../support/import-bench.ts'
import { envelope } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { okay, useImportBench } from './import-bench.ts'

const { write, importing, withService } = useImportBench()
const exists = jsonAnswer(409, envelope('EntityAlreadyExists'))

describe('--on-exists', () => {
  test.each([
    ['update', 0, { updated: 2 }],
    ['skip', 14, { skipped: 2 }],
    ['fail', 14, { failed: 2 }],
  ])('%s', async (onExists, exitCode, counts) => {
    write('rows.csv', csvOf(2))
    await importing('rows.csv')
    const ran = await importing(`rows.csv --on-exists ${onExists} --json`)
    expect(ran).toMatchObject({ exitCode })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, created: 0, ...counts })
  })

  test('sends rows with the same paymentId one after another, in order', async () => {
    write('rows.csv', HEADER + [1, 2, 3, 4, 5].map((amount) => rowOf('ext-same', amount)).join(''))
    let inFlight = 0
    const ran = await withService('rows.csv --json', async ({ method }, attempt) => {
      inFlight += 1
      expect(inFlight).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inFlight -= 1
      return method === 'POST' && attempt > 1 ? exists : okay()
    })
    expect(JSON.parse(ran.stdout)).toMatchObject({ created: 1, updated: 4 })
    const amounts = ran.requests
      .filter(({ method }) => method === 'PATCH')
      .map(({ body = '' }) => /"amount":(\d)/.exec(body)?.[1])
    expect(amounts).toEqual(['2', '3', '4', '5'])
  })
})

describe('repeated paymentIds', () => {
  const rows = HEADER + ['a', 'b', 'a', 'a'].map((id, index) => rowOf(id, index + 1)).join('')

  test.each([
    ['update', 'last'],
    ['skip', 'first'],
  ])('are counted and named: with --on-exists %s, the %s row counts', async (onExists, kept) => {
    write('rows.csv', rows)
    const ran = await importing(`rows.csv --on-exists ${onExists} --json`)
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, created: 2, repeats: 2 })
    expect(ran.stderr).toContain(
      `Warning: 2 rows repeat the paymentId of an earlier row; only the ${kept} row of each counts: a (rows 1, 3, 4)\n`,
    )
  })

  test('are found across the trial and the rest', async () => {
    write('rows.csv', rows)
    const ran = await importing('rows.csv --canary 2 --yes --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 4, repeats: 2 })
  })

  test('are not mentioned if there are none', async () => {
    write('rows.csv', csvOf(3))
    const ran = await importing('rows.csv --json')
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('repeats')
    expect(ran.stderr).not.toContain('repeat')
  })
})
