import { spawnSync } from 'node:child_process'
import * as fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { plainYaml } from '../../src/output/yaml-plain.ts'
import { exactYaml, yamlText } from '../../src/output/yaml-text.ts'
import { tries } from '../support/tries.ts'

/** Texts near to what is written plainly, and those that only look like it. */
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
  fc.bigInt(),
  fc.double(),
  fc.constantFrom(null, true, false, -0, new LosslessNumber('1.10')),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

test('the fast way is the way of the library', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(value, async (any) => {
      const whole = await exactYaml(any)
      expect(await yamlText(any)).toBe(whole)
      if (plainYaml(any) !== undefined) taken += 1
    }),
    { numRuns: tries(400), seed: 1 },
  )
  expect(taken).toBeGreaterThan(tries(400) / 5)
})

test('is taken by what a ledger holds', async () => {
  const record = {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    operation: 'payment.refund',
    target: 'sha256:abc0',
    amount: 500,
    createdAt: '2026-02-01T00:00:00.000Z',
    reason: 'damaged in transit',
    version: '0.1.0',
    host: '10.0.0.1',
    lists: [['a', 'b'], [], [{ a: 1, b: { c: [] } }], {}],
    none: null,
  }
  expect(plainYaml([record])).toBe((await exactYaml([record])).trimEnd())
})

test.each(['0.1', 'a: b', 'a #b', 'a ', 'no', '12:30', 'zwölf', '', '-'])('is not taken by %j', (odd) => {
  expect(plainYaml(odd)).toBeUndefined()
})

test('the sign of equality alone, a type of its own in YAML 1.1, is quoted', async () => {
  expect(await yamlText({ '=': '=', list: ['=', 'a='] })).toBe('"=": "="\nlist:\n  - "="\n  - a=\n')
})

test('a strict reader of YAML 1.1 reads what was written', async ({ skip }) => {
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
  const documents = await Promise.all(texts.map((one) => yamlText({ [one]: one, list: [one, { a: one }] })))
  const program =
    'import json, sys, yaml\nprint(json.dumps([yaml.safe_load(text) for text in json.load(sys.stdin)]))'
  const python = spawnSync('python3', ['-c', program], { input: JSON.stringify(documents), encoding: 'utf8' })
  if (python.status !== 0 && /No module named|ENOENT/.test(`${python.stderr} ${String(python.error)}`))
    skip('needs python3 with PyYAML')
  expect(python.stderr).toBe('')
  expect(JSON.parse(python.stdout)).toEqual(texts.map((one) => ({ [one]: one, list: [one, { a: one }] })))
})
