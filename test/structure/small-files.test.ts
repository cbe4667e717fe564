import { basename } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { FILES, MOST_LINES, OWN_IMPORTS, roomOf, textOf } from './rooms.ts'

/** A shorter file with one importer belongs in that importer. */
const FEW_LINES = 60

/** Tables that list one file a row. */
const TABLES = [
  'commands/tree.ts',
  'api/facts/facts.ts',
  'sandbox/handlers/endpoints.ts',
  'sandbox/controls/controls.ts',
  'sandbox/database/store/store.ts',
  'sandbox/web/dashboard/pages.tsx',
]

/** Small files with one importer that stay, each with its reason. */
const STAY: Readonly<Record<string, string>> = {
  'api/countries.ts': 'a list of codes, which is long only to read',
  'sandbox/web/checkout/summary/order-rows.ts': 'is tested without a browser',
  'sandbox/web/component/options.ts': 'is tested without a browser',
  'sandbox/web/dashboard/clock/format-span.ts': 'is tested without a browser',
}

const linesIn = (path: string): number => textOf(path).split('\n').length - 1

const importersOf = (path: string): readonly string[] => [
  ...new Set(OWN_IMPORTS.filter(([, to]) => to === path).map(([from]) => from)),
]

/** Another room has its own rules, a file that is loaded at first use must be one, and a long file is two files. */
const mayStay = (path: string, importer: string): boolean =>
  roomOf(path) !== roomOf(importer) ||
  TABLES.includes(importer) ||
  TABLES.includes(path) ||
  new RegExp(String.raw`import\('[^']*/${basename(path)}'\)`).test(textOf(importer)) ||
  linesIn(path) + linesIn(importer) > MOST_LINES

describe('a small file with one importer', () => {
  test('lives in its importer, or has a reason', () => {
    const lonely = FILES.filter((path) => linesIn(path) < FEW_LINES).flatMap((path) => {
      const [importer, ...others] = importersOf(path)
      return importer === undefined || others.length > 0 || mayStay(path, importer) ? [] : [path]
    })
    expect(lonely).toEqual(Object.keys(STAY).toSorted())
  })
})
