import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/errors.ts'
import { checkPrivateFolder, makePrivateFolder } from '../../src/files/private-folder.ts'
import { useFolder } from '../support/folder.ts'

const root = useFolder()

const modeOf = (path: string) => statSync(path).mode & 0o777

test('creates a folder and its parents for the owner only', () => {
  const path = join(root(), 'a', 'b', 'c')
  expect(makePrivateFolder(path)).toBe(true)
  expect([path, join(root(), 'a', 'b'), join(root(), 'a')].map(modeOf)).toEqual([0o700, 0o700, 0o700])
})

test('leaves an existing folder unchanged', () => {
  const path = join(root(), 'there')
  mkdirSync(path)
  chmodSync(path, 0o755)
  expect(makePrivateFolder(path)).toBe(false)
  expect(modeOf(path)).toBe(0o755)
})

test('fails if a file is in the way', () => {
  writeFileSync(join(root(), 'file'), '')
  expect(() => makePrivateFolder(join(root(), 'file'))).toThrow(/EEXIST/)
  expect(() => makePrivateFolder(join(root(), 'file', 'below'))).toThrow(/ENOTDIR/)
})

test.runIf(process.platform === 'linux')('fails if no folder can be created', () => {
  expect(() => makePrivateFolder('/proc/pay/state')).toThrow(/ENOENT/)
})

describe.skipIf(process.platform === 'win32')('an existing folder', () => {
  const uid = process.getuid?.() ?? 0
  const folder = (mode: number, name = 'state') => {
    const path = join(root(), name)
    mkdirSync(path)
    chmodSync(path, mode)
    return path
  }
  const refusalOf = (work: () => void): UsageError => {
    try {
      work()
    } catch (error) {
      if (error instanceof UsageError) return error
    }
    throw new Error('not refused')
  }

  test.each([0o777, 0o770, 0o707, 0o720, 0o1777])('that others can write to is refused: %o', (mode) => {
    const path = folder(mode)
    const { exitCode, code, message, details } = refusalOf(() => checkPrivateFolder(path, uid))
    expect([exitCode, code, details.outcome]).toEqual([2, 'unsafe_folder', 'none'])
    expect(message).toContain(path)
    expect(details.hint).toContain(`chmod 700 ${path}`)
    expect(modeOf(path)).toBe(mode & 0o777)
  })

  test('of another user is refused', () => {
    const path = folder(0o700)
    chownSync(path, uid === 0 ? 12_345 : uid, 0)
    const { details } = refusalOf(() => checkPrivateFolder(path, uid === 0 ? 0 : uid + 1))
    expect(details.hint).toContain(`chown "$(id -u)" ${path} && chmod 700 ${path}`)
  })

  test.each([0o755, 0o750, 0o711, 0o701])('that others can read is closed: %o', (mode) => {
    const path = folder(mode)
    checkPrivateFolder(path, uid)
    expect(modeOf(path)).toBe(0o700)
  })

  test('with other files is not closed, but is refused if others can write to it', () => {
    const path = folder(0o755)
    checkPrivateFolder(path, uid, { corrects: false })
    expect(modeOf(path)).toBe(0o755)
    chmodSync(path, 0o757)
    refusalOf(() => checkPrivateFolder(path, uid, { corrects: false }))
  })

  test('may be a link', () => {
    const path = folder(0o750)
    symlinkSync(path, join(root(), 'link'))
    checkPrivateFolder(join(root(), 'link'), uid)
    expect(modeOf(path)).toBe(0o700)
  })

  test('is quoted if a shell would interpret its name', () => {
    const path = folder(0o777, "it's $HOME")
    expect(refusalOf(() => checkPrivateFolder(path, uid)).details.hint).toContain(String.raw`it'\''s $HOME'`)
  })

  test('is not checked on Windows or if it is missing', () => {
    checkPrivateFolder(folder(0o777), undefined)
    checkPrivateFolder(join(root(), 'none'), uid)
  })
})
