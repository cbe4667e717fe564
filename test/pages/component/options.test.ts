import { expect, test } from 'vitest'
import { readOptions } from '../../../src/pages/component/options.ts'

test.each([
  [undefined, 'the second argument must be an object'],
  ['a.b.c', 'the second argument must be an object'],
  [{}, 'clientToken must be the client token of a session'],
  [{ clientToken: '' }, 'clientToken must be'],
  [{ clientToken: 7 }, 'clientToken must be'],
  [{ clientToken: 'x', onComplete: 'done' }, 'onComplete must be a function'],
  [{ clientToken: 'x', onFail: null }, 'onFail must be a function'],
  [{ clientToken: 'x', onCompleted: () => {} }, 'unknown option onCompleted. Did you mean onComplete?'],
  [{ clientToken: 'x', theme: 'dark' }, 'unknown option theme. Options are clientToken,'],
])('%j is refused: %s', (given, message) => {
  expect(() => readOptions(given)).toThrow(TypeError)
  expect(() => readOptions(given)).toThrow(message)
})

test('an error never repeats the client token', () => {
  expect(() => readOptions({ clientToken: 'secret', onFail: 7 })).toThrow(/^(?!.*secret)/)
})

test('callbacks may be left out, and get what is passed', () => {
  const got: unknown[] = []
  const options = readOptions({ clientToken: 'x', onComplete: (value: unknown) => got.push(value) })
  options.onComplete({ paymentId: 'p1', status: 'AUTHORIZED' })
  options.onFail({ paymentId: null, status: null, reason: null })
  options.onCancel()
  expect(got).toEqual([{ paymentId: 'p1', status: 'AUTHORIZED' }])
})
