import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderYaml } from '../../src/output/yaml-text.ts'
import { scaledRuns } from '../support/test-effort.ts'

/** Texts that some YAML parser reads as another type. */
const text = fc.oneof(
  fc.stringMatching(/^[\w .:/@+#,'"-]{0,12}$/),
  fc.constantFrom('y', 'No', 'TRUE', 'null', 'on', 'off', '~', '0o17', '1e3', '12:30', '0x1F', '.inf', 'NaN'),
  fc.constantFrom('2026-02-01', '2026-02-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '<<', '=', '---'),
  fc.uuid(),
  fc.stringMatching(/^\d{1,3}([._]\d{1,3}){1,3}$/),
  fc.string(),
  fc.string({ unit: 'grapheme' }),
)
const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(null, true, false, -0),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test('parses back to the same value, in a list of any length', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(1, 101), (entry, count) => {
      const list = Array.from({ length: count }, () => entry)
      expect(parse(renderYaml(entry))).toEqual(entry)
      expect(parse(renderYaml(list))).toEqual(list)
    }),
    { numRuns: scaledRuns(60) },
  )
})

test('keeps every digit of a number', () => {
  expect(
    renderYaml({
      price: new LosslessNumber('1.10'),
      id: 12345678901234567890n,
      list: [new LosslessNumber('1e400')],
    }),
  ).toBe('price: 1.10\nid: 12345678901234567890\nlist:\n  - 1e400\n')
})

test('quotes a lone equals sign, a special type in YAML 1.1', () => {
  expect(renderYaml({ '=': '=', list: ['=', 'a='] })).toBe('"=": "="\nlist:\n  - "="\n  - a=\n')
})

test('parses back to the same value in a strict YAML 1.1 parser', ({ skip }) => {
  const texts = [
    '=',
    '<<',
    'y',
    'No',
    'on',
    '~',
    '',
    '0o7',
    '012',
    '1_0',
    '1:30',
    '2026-01-01',
    '.inf',
    '1e3',
    '- a',
  ]
  const documents = texts.map((one) => renderYaml({ [one]: one, list: [one, { a: one }] }))
  const program =
    'import json, sys, yaml\nprint(json.dumps([yaml.safe_load(text) for text in json.load(sys.stdin)]))'
  const python = spawnSync('python3', ['-c', program], { input: JSON.stringify(documents), encoding: 'utf8' })
  if (python.status !== 0 && /No module named|ENOENT/.test(`${python.stderr} ${String(python.error)}`))
    skip('needs python3 with PyYAML')
  expect(python.stderr).toBe('')
  expect(JSON.parse(python.stdout)).toEqual(texts.map((one) => ({ [one]: one, list: [one, { a: one }] })))
})
