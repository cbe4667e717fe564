import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { manPages } from '../../scripts/man-pages.mjs'
import { skillPage } from '../../scripts/skill-page.mjs'
import { referencePages } from '../../scripts/reference-pages.mjs'
import { ROOT } from '../support/spawn-pay.ts'
import { createBench } from '../support/run-pay.ts'

/** The generated pages in the repository are what `npm run docs` would write; npm makes the man pages when it packs. */

const bench = createBench()
afterAll(() => bench.dispose())
const told = await bench.runPay('commands -o json')
const described: Parameters<typeof manPages>[0] = JSON.parse(told.stdout)

describe('docs/reference/commands', () => {
  const pages = referencePages(described)

  test('has exactly one page per command (npm run docs)', () => {
    expect(pages.size).toBe(described.data.length + 1)
    expect(readdirSync(join(ROOT, 'docs/reference/commands')).toSorted()).toEqual(
      [...pages.keys()].toSorted(),
    )
  })

  test.each([...pages])('%s is up to date (npm run docs)', (name, text) => {
    expect(readFileSync(join(ROOT, 'docs/reference/commands', name), 'utf8')).toBe(text)
  })
})

test('SKILL.md is up to date and in the package (npm run docs)', async () => {
  const { stdout } = await bench.runPay('help agents')
  expect(readFileSync(join(ROOT, 'SKILL.md'), 'utf8')).toBe(skillPage(stdout))
  expect(manifest.files).toContain('SKILL.md')
})

test('the package includes a man page for each command (npm run docs)', () => {
  expect(manPages(described).size).toBe(described.data.length + 1)
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

const folder = mkdtempSync(join(tmpdir(), 'pay-man-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
for (const [name, text] of manPages(described)) writeFileSync(join(folder, name), text)
const PATHS = readdirSync(folder).map((name) => join(folder, name))

test.skipIf(!has('mandoc'))('mandoc reports no problem in the man pages', () => {
  const { stdout } = spawnSync('mandoc', ['-Tlint', '-Wwarning', ...PATHS], { encoding: 'utf8' })
  // The pages have no date, because it would change every page with every release.
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
})

test.skipIf(!has('man'))('man shows a page', () => {
  const shown = spawnSync('man', ['-l', join(folder, 'pay-payment-refund.1')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], MANWIDTH: '80', MANPAGER: 'cat', LANG: 'C.UTF-8' },
  })
  expect(shown).toMatchObject({ status: 0, stderr: '' })
  expect(shown.stdout).toContain('pay payment refund "$ID" --amount "5.00 EUR" --reason "damaged in transit"')
  expect(shown.stdout).toContain("You can't undo this.")
})
