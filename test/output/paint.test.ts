import { expect, test } from 'vitest'
import { colorPaint, plainPaint, shouldColor, wordsPaint } from '../../src/output/paint.ts'

test('plain paint changes nothing', () => {
  expect(plainPaint('SETTLED', 'good')).toBe('SETTLED')
})

test('words paint names the tone', () => {
  expect(wordsPaint('SETTLED', 'good')).toBe('good(SETTLED)')
})

test('color paint uses the sixteen colours', async () => {
  const paint = await colorPaint()
  expect(paint('a', 'good')).toBe('\u001B[32ma\u001B[39m')
  expect(paint('a', 'bad')).toBe('\u001B[31ma\u001B[39m')
})

test.each([
  ['auto', {}, true, true],
  ['auto', {}, false, false],
  ['always', { NO_COLOR: '1', TERM: 'dumb' }, false, true],
  ['never', { FORCE_COLOR: '1' }, true, false],
  ['auto', { NO_COLOR: '1' }, true, false],
  ['auto', { NO_COLOR: '' }, true, true],
  ['auto', { TERM: 'dumb' }, true, false],
  ['auto', { FORCE_COLOR: '1' }, false, true],
  ['auto', { FORCE_COLOR: '3', NO_COLOR: '1' }, true, false],
  ['always', { FORCE_COLOR: '0', NO_COLOR: '1' }, true, true],
  ['auto', { FORCE_COLOR: '1', NO_COLOR: '' }, false, true],
  ['auto', { FORCE_COLOR: '0' }, true, false],
  ['auto', { FORCE_COLOR: 'false' }, true, false],
  ['auto', { FORCE_COLOR: '' }, false, false],
] as const)('--color %s with %j on a terminal (%s): %s', (flag, env, isTTY, answer) => {
  expect(shouldColor({ flag, env, isTTY })).toBe(answer)
})
