import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseMappingFile } from '../../src/bulk/map/mapping-file.ts'
import { READY_MAPPINGS } from '../../src/import/ready-mappings.ts'
import { RECORD } from '../../src/import/record-fields.ts'

const EXAMPLES = new URL('../../examples/mappings/', import.meta.url)

describe.each(Object.entries(READY_MAPPINGS))('%s', (name, text) => {
  test('is a mapping without problems', () =>
    expect(parseMappingFile(RECORD, text, name).map.size).toBeGreaterThan(0))

  test('is a file to copy, too', () =>
    expect(text).toMatchFileSnapshot(`../../examples/mappings/${name}.yaml`))

  test('has a sample', () =>
    expect(readFileSync(new URL(`../fixtures/exports/${name}.csv`, import.meta.url), 'utf8')).not.toBe(''))
})

test('no example is out of date', () =>
  expect(readdirSync(EXAMPLES).toSorted()).toEqual(
    Object.keys(READY_MAPPINGS)
      .map((name) => `${name}.yaml`)
      .toSorted(),
  ))
