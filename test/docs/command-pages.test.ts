import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { manPages } from '../../scripts/man-pages.mjs'
import { referencePages } from '../../scripts/reference-pages.mjs'
import { ROOT } from '../support/spawn-pay.ts'
import { createBench } from '../support/run-pay.ts'

/** The generated pages in the repository are what `npm run docs` would write. */

const bench = createBench()
afterAll(() => bench.dispose())
const told = await bench.runPay('commands -o json')
const described: Parameters<typeof manPages>[0] = JSON.parse(told.stdout)

describe.each([
  ['docs/reference/commands', referencePages(described)],
  ['man', manPages(described)],
])('%s', (folder, pages) => {
  test('has exactly one page per command (npm run docs)', () => {
    expect(pages.size).toBe(described.data.length + 1)
    expect(readdirSync(join(ROOT, folder)).toSorted()).toEqual([...pages.keys()].toSorted())
  })

  test.each([...pages])('%s is up to date (npm run docs)', (name, text) => {
    expect(readFileSync(join(ROOT, folder, name), 'utf8')).toBe(text)
  })
})

test('the package includes the man pages (npm run docs)', () => {
  expect(manifest.man).toEqual([...manPages(described).keys()].toSorted().map((name) => `./man/${name}`))
  expect(manifest.files).toContain('man')
})

/** Whether a program is installed. If not, its tests are skipped with a notice. */
function has(program: string): boolean {
  const isHere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (!isHere)
    process.stderr.write(`SKIPPED: checking the man pages with ${program}, which is not installed.\n`)
  return isHere
}

const PATHS = [...manPages(described).keys()].map((name) => join(ROOT, 'man', name))

test.skipIf(!has('mandoc'))('mandoc reports no problem in the man pages', () => {
  const { stdout } = spawnSync('mandoc', ['-Tlint', '-Wwarning', ...PATHS], { encoding: 'utf8' })
  // The pages have no date, because it would change every page with every release.
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
})

test.skipIf(!has('man'))('man shows a page', () => {
  const shown = spawnSync('man', ['-l', join(ROOT, 'man/pay-payment-refund.1')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], MANWIDTH: '80', MANPAGER: 'cat', LANG: 'C.UTF-8' },
  })
  expect(shown).toMatchObject({ status: 0, stderr: '' })
  expect(shown.stdout).toContain(
    "pay payment refund \"$ID\" --amount '5.00 EUR' --reason 'damaged in transit'",
  )
  expect(shown.stdout).toContain("You can't undo this.")
})
