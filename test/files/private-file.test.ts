import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decodeUtf8, exposureOf, readAtMost } from '../../src/files/private-file.ts'
import { shellWord } from '../../src/files/shell.ts'
import { systemCode } from '../../src/files/system-code.ts'
import { store } from '../client/config/folder.ts'
import { newFolder } from '../support/folder.ts'

test.each([
  [0o100600, 1000, 1000, 'none'],
  [0o100700, 1000, 1000, 'none'],
  [0o100644, 1000, 1000, 'read-by-others'],
  [0o100640, 1000, 1000, 'read-by-others'],
  [0o100604, 1000, 1000, 'read-by-others'],
  [0o100664, 1000, 1000, 'written-by-others'],
  [0o100602, 1000, 1000, 'written-by-others'],
  [0o100600, 1001, 1000, 'owned-by-another'],
  [0o100600, 1001, 0, 'owned-by-another'],
  [0o100600, 0, 1000, 'none'],
  [0o100644, 0, 1000, 'read-by-others'],
  [0o100440, 0, 1000, 'none'],
  [0o100440, 0, 0, 'read-by-others'],
  [0o100660, 0, 1000, 'written-by-others'],
  [0o100666, 1001, undefined, 'none'],
])('who else can access a file: mode %o of user %d for user %s: %s', (mode, fileUid, uid, exposure) => {
  expect(exposureOf({ mode, uid: fileUid }, { uid })).toBe(exposure)
})

describe('reading', () => {
  test('stops above the size limit', () => {
    const path = store(newFolder(), '0123456789')
    expect(readAtMost(path, 9).bytes).toBeUndefined()
    expect(Buffer.from(readAtMost(path, 10).bytes ?? []).toString()).toBe('0123456789')
    expect(readAtMost(store(newFolder(), ''), 10).bytes).toHaveLength(0)
  })

  test.skipIf(process.platform === 'win32')('accepts a pipe such as <(…)', () => {
    const pipe = join(newFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    execFileSync('sh', ['-c', 'printf secret > "$1" &', 'sh', pipe], { stdio: 'ignore' })
    expect(Buffer.from(readAtMost(pipe, 10).bytes ?? []).toString()).toBe('secret')
  })
})

test('decodes only UTF-8, without its byte order mark', () => {
  expect(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x41]))).toBe('A')
  expect(decodeUtf8(new Uint8Array([0xc3]))).toBeUndefined()
})

test.each([
  ['/home/ann/.config/payctl/config.json', '/home/ann/.config/payctl/config.json'],
  ['/home/ann/my files/config.json', '"/home/ann/my files/config.json"'],
  ["/home/o'neil/x", `"/home/o'neil/x"`],
  ['/tmp/$(id)', "'/tmp/$(id)'"],
])('the path %s is typed as %s', (path, typed) => {
  expect(shellWord(path)).toBe(typed)
})

test('only system errors have a system code', () => {
  expect(systemCode(Object.assign(new Error('no'), { code: 'EACCES' }))).toBe('EACCES')
  expect(systemCode(new Error('no'))).toBeUndefined()
  expect(systemCode('EACCES')).toBeUndefined()
})
