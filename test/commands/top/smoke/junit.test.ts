import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'
import { isWellFormed } from './well-formed.ts'

const bench = useBench()

const smoke = async (words: readonly string[] = []) => {
  const result = await bench.runPay(['smoke', '--sandbox', '--json', ...words])
  const report: unknown = JSON.parse(result.stdout)
  return { ...result, report }
}

test('writes a JUnit report with all steps', async () => {
  await smoke(['--junit', 'report.xml'])
  const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites>/)
  expect(xml).toContain('tests="12" failures="0" skipped="0"')
  expect(xml.match(/<testcase /g)).toHaveLength(12)
  expect(isWellFormed(xml)).toBe(true)
})

test('refuses a report path that is not writable before anything is sent', async () => {
  const result = await bench.runPay('smoke --sandbox --junit nowhere/report.xml')
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('nowhere/report.xml')
  expect(readdirSync(bench.stateFolder)).toEqual([])
})

test.each(['smoke --sandbox --junit', 'sandbox compare --against kept.json --out'])(
  'never overwrites a file of pay itself: %s',
  async (words) => {
    const ledger = join(bench.stateFolder, 'ledger.db')
    writeFileSync(ledger, '')
    const result = await bench.runPay([...words.split(' '), ledger])
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain('is in a folder where pay keeps its own files')
    expect(readFileSync(ledger, 'utf8')).toBe('')
  },
)

test('has a failure in the report until the run ends', async () => {
  const reports: string[] = []
  await bench.runPay('smoke --json --junit report.xml', {
    env: SERVICE_ENV,
    service: () => {
      reports.push(readFileSync(join(bench.folder, 'report.xml'), 'utf8'))
      return jsonAnswer(200, {})
    },
  })
  expect(reports[0]).toContain('tests="1" failures="1"')
  expect(reports[0]).toContain('the run did not complete')
  expect(isWellFormed(reports[0] ?? '<')).toBe(true)
  expect(readFileSync(join(bench.folder, 'report.xml'), 'utf8')).not.toContain('the run did not complete')
})

test('an interrupted run has not passed', async () => {
  const stop = new AbortController()
  const result = await bench.runPay('smoke --json --junit report.xml', {
    env: SERVICE_ENV,
    signal: stop.signal,
    service: () => {
      stop.abort('SIGINT')
      return jsonAnswer(200, { clientToken: 't', id: 'p1' })
    },
  })
  expect(result.requests).toHaveLength(1)
  expect(result.exitCode).toBe(130)
  const xml = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
  expect(xml).toContain('tests="2" failures="1"')
})

test('isWellFormed rejects invalid XML', () => {
  expect(isWellFormed('<a><b></a></b>')).toBe(false)
  expect(isWellFormed('<a>&</a>')).toBe(false)
  expect(isWellFormed('<a x="<"></a>')).toBe(false)
  expect(isWellFormed('<a x="1"><b/>&amp;</a>')).toBe(true)
})
