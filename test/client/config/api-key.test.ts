import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkApiKey, readKeyFile } from '../../../src/client/config/api-key.ts'
import { caught, everythingOf } from './caught.ts'
import { owner } from './folder.ts'
import { newFolder } from '../../support/folder.ts'

const KEY = 'key_test_0123456789abcdef'

function keyFile(content: string | Uint8Array, mode = 0o600): string {
  const path = join(newFolder(), 'key')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

describe('a key', () => {
  test.each([KEY, `${KEY}\n`, `${KEY}\r\n`])('is read from %j', (text) => {
    expect(checkApiKey(text, 'stdin')).toBe(KEY)
  })

  test.each([
    ['', 'is empty'],
    ['\n', 'is empty'],
    [`${KEY}\n\n`, 'has more than one line'],
    [`${KEY}\nsecond`, 'has more than one line'],
    [`API_KEY= ${KEY}`, 'contains a space'],
    [`${KEY}\u0007`, 'contains invalid characters'],
    [`${KEY}é`, 'contains invalid characters'],
    [KEY.repeat(200), 'is longer than 4096'],
  ])('is refused and not repeated: %j', (text, problem) => {
    const error = caught(() => checkApiKey(text, 'stdin'))
    expect(error.code).toBe('bad_api_key')
    expect(error.message).toContain('stdin')
    expect(error.message).toContain(problem)
    expect(everythingOf(error)).not.toContain(KEY)
  })
})

describe('a key file', () => {
  test('is read without its trailing newline', () => {
    expect(readKeyFile(keyFile(`${KEY}\n`), owner)).toEqual({ apiKey: KEY, warnings: [] })
  })

  test.each([0o644, 0o640, 0o620, 0o666])('with mode %o is read with a warning', (mode) => {
    const path = keyFile(KEY, mode)
    const { apiKey, warnings } = readKeyFile(path, { uid: owner.uid ?? 0 })
    expect(apiKey).toBe(KEY)
    expect(warnings).toEqual([expect.stringContaining(`chmod 600 ${path}`)])
  })

  test('has no modes to warn about on Windows', () => {
    expect(readKeyFile(keyFile(KEY, 0o644), { uid: undefined }).warnings).toEqual([])
  })

  test.each([
    ['', 'is empty'],
    [`${KEY}\n${KEY}\n`, 'has more than one line'],
    [new Uint8Array([0xff, 0xfe, 0x41]), 'is not text'],
    [KEY.repeat(400), 'is larger than'],
  ])('that holds no key is refused: %#', (content, problem) => {
    const path = keyFile(content)
    const error = caught(() => readKeyFile(path, owner))
    expect(error).toMatchObject({ code: 'bad_api_key', exitCode: 2 })
    expect(error.message).toContain(path)
    expect(error.message).toContain(problem)
    expect(everythingOf(error)).not.toContain(KEY)
  })

  test('that is a folder or is missing is refused with its path', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'keys'))
    expect(caught(() => readKeyFile(join(folder, 'keys'), owner)).message).toContain('is a folder')
    expect(caught(() => readKeyFile(join(folder, 'none'), owner)).message).toBe(
      `The key file ${join(folder, 'none')} does not exist`,
    )
    expect(caught(() => readKeyFile(join(folder, 'keys', 'a'.repeat(300)), owner)).message).toContain(
      'cannot be read (ENAMETOOLONG)',
    )
  })
})
