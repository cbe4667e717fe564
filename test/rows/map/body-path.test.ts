import { expect, test } from 'vitest'
import { segmentsOf, setValueAt } from '../../../src/rows/map/body-path.ts'

test.each([
  ['metadata.store', ['metadata', 'store']],
  ['metadata.a.b', ['metadata', 'a.b']],
  ['metadata.__proto__', ['metadata', '__proto__']],
  ['paymentMethod.data.first6Digits', ['paymentMethod', 'data', 'first6Digits']],
])('%s leads to %j', (path, segments) => {
  expect(segmentsOf(path)).toEqual(segments)
})

test('setting a value keeps any other value on the way', () => {
  const body: Record<string, unknown> = { processor: 'ACME', metadata: { a: 1 } }
  setValueAt(body, ['processor', 'name'], 'x')
  setValueAt(body, ['metadata', 'b'], 'y')
  expect(body).toEqual({ processor: 'ACME', metadata: { a: 1, b: 'y' } })
})
