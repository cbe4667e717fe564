import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blocksOf } from '../support/markdown.ts'
import { createPathBench, ROOT } from '../support/spawn-pay.ts'
import type { PathBench } from '../support/spawn-pay.ts'

const REFERENCE = join(ROOT, 'docs/reference')
const PAGES = readdirSync(REFERENCE).filter((name) => name.endsWith('.md'))
const page = (name: string): string => readFileSync(join(REFERENCE, name), 'utf8')

describe('the commands on the pages run', () => {
  /** A captured payment, made once; each block runs on a copy. */
  let before: PathBench
  let id: string
  beforeAll(async () => {
    before = createPathBench()
    const made = await before.shell(
      "ID=$(pay payment create --token tok_visa --amount '10.00 EUR' --order-id A-0 -o id) && pay payment capture $ID -o id",
      { env: { ...before.env, PAY_PROFILE: 'sandbox' } },
    )
    id = made.stdout.trim()
  })
  afterAll(() => before.dispose())

  let bench: PathBench
  beforeEach(() => {
    bench = createPathBench()
    cpSync(before.stateFolder, bench.stateFolder, { recursive: true })
  })
  afterEach(() => bench.dispose())

  const blocks = PAGES.flatMap((name) =>
    blocksOf(page(name))
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => [`${name}: ${text.split('\n')[0] ?? ''}`, text] as const),
  )

  test.each(blocks)('%s', async (_, text) => {
    const env = { ...bench.env, API_KEY: 'key_for_a_test_0123' }
    // Blocks about profiles choose their own; the others run in the sandbox.
    const isOwnChoice = /pay profile|--sandbox/.test(text)
    const ran = await bench.shell(`set -eu\n${text}`, {
      env: { ...env, ID: id, ...(isOwnChoice ? {} : { PAY_PROFILE: 'sandbox' }) },
    })
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(ran.stderr).not.toContain('Warning')
  })
})
