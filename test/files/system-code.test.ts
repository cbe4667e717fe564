import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fallbackOn, systemCode } from '../../src/files/system-code.ts'

const missing = () => readFileSync('/no/such/file', 'utf8')

test('a system error has its code; other values have none', () => {
  expect(systemCode(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toBe('ENOSPC')
  for (const value of [new Error('full'), Object.assign(new Error('7'), { code: 7 }), 'ENOSPC', undefined])
    expect(systemCode(value)).toBeUndefined()
})

test('the fallback replaces only an error with its code', () => {
  expect(fallbackOn('ENOENT', 'none', () => 'text')).toBe('text')
  expect(fallbackOn('ENOENT', 'none', missing)).toBe('none')
  expect(() => fallbackOn('EEXIST', 'none', missing)).toThrow(/ENOENT/)
})
