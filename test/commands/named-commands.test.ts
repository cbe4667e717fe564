import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagNames } from '../../src/cli/parse/command-flags.ts'
import { TREE } from '../../src/commands/tree.ts'
import { ROOT } from '../support/spawn-pay.ts'

/** Every command that a text in the source names is there, and has the flags that follow it. */

const SOURCE = join(ROOT, 'src')
const NAMED =
  /\bpay(?:\$\{[^}]*\})? ([a-z]+)(?: ([a-z]+)\b)?((?: (?:--[a-z][a-z-]*|[A-Z][A-Z_]*|\$\{[^}]*\}))*)/g

const found = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) =>
    [...readFileSync(join(SOURCE, path), 'utf8').matchAll(NAMED)].map(
      ([text, noun = '', verb = '', rest = '']) => ({ path, text, noun, verb, rest }),
    ),
  )
  // `pay ledger account` is the name of a lock.
  .filter(({ noun, text }) => Object.hasOwn(TREE, noun) && !text.startsWith('pay ledger account'))

/** Why the command can't be typed; undefined if it can. */
async function faultOf({ noun, verb, rest }: (typeof found)[number]): Promise<string | undefined> {
  const { verbs, load } = TREE[noun] ?? {}
  const open = load ?? verbs?.[verb]
  if (open === undefined) return verb === '' ? undefined : `pay ${noun} has no ${verb}`
  const names = flagNames((await open()).command)
  const flag = [...rest.matchAll(/--([a-z-]+)/g)]
    .map(([, name = '']) => name)
    .find((name) => !names.includes(name))
  return flag === undefined || flag === 'help' ? undefined : `pay ${noun} ${verb} has no --${flag}`
}

test('every command in a text is there', async () => {
  expect(found.length).toBeGreaterThan(200)
  const faults = await Promise.all(found.map(async (one) => ({ ...one, fault: await faultOf(one) })))
  expect(
    faults
      .filter(({ fault }) => fault !== undefined)
      .map(({ path, text, fault }) => `${path}: ${text}: ${fault}`),
  ).toEqual([])
})
