import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  parseProfileFile,
  readProfiles,
  serializeProfiles,
} from '../../../src/client/config/read-profiles.ts'
import { caught, everythingOf } from './caught.ts'
import { owner, store } from './folder.ts'
import { newFolder } from '../../support/folder.ts'

const KEY = 'key_test_0123456789abcdef'
const SHOP = { baseUrl: 'https://api.example.com', apiKey: KEY }
const isWindows = process.platform === 'win32'

describe('the profile file', () => {
  test('is empty if missing', () => {
    const folder = newFolder()
    const empty = {
      path: join(folder, 'config.json'),
      defaultProfile: undefined,
      profiles: new Map(),
      warnings: [],
    }
    expect(readProfiles(folder, owner)).toEqual(empty)
    expect(readProfiles(join(folder, 'none'), owner).profiles.size).toBe(0)
  })

  test('holds profiles and the name of the default one', () => {
    const folder = newFolder()
    store(folder, { version: 1, defaultProfile: 'shop', profiles: { shop: SHOP } })
    const file = readProfiles(folder, owner)
    expect(file.defaultProfile).toBe('shop')
    expect(file.profiles.get('shop')).toMatchObject({ name: 'shop', apiKey: KEY, mode: 'live' })
    expect(file.warnings).toEqual([])
  })

  test('may be written by hand, with a byte order mark and without a version', () => {
    const folder = newFolder()
    store(folder, `\ufeff${JSON.stringify({ defaultProfile: 'sandbox' })}`)
    expect(readProfiles(folder, owner)).toMatchObject({ defaultProfile: 'sandbox', profiles: new Map() })
  })

  test('is written back unchanged', () => {
    const stored = { version: 1, defaultProfile: 'shop', profiles: { shop: SHOP } }
    const text = `${JSON.stringify(stored, undefined, 2)}\n`
    expect(serializeProfiles(parseProfileFile('config.json', text))).toBe(text)
  })

  test.each([
    ['', 'is not JSON'],
    ['{', 'is not JSON'],
    [`{"profiles":{"shop":{"apiKey":"${KEY}",}}}`, 'is not JSON'],
    [`{"apiKey":"${KEY}`, 'is not JSON'],
    [KEY, 'is not JSON'],
    ['[]', 'it must be an object'],
    ['null', 'it must be an object'],
    ['{"version":2}', 'version must be 1; a newer version'],
    ['{"profile":{}}', 'it does not have "profile"; did you mean "profiles"?'],
    ['{"profiles":[]}', 'profiles must be an object'],
    ['{"defaultProfile":7}', 'defaultProfile must be the name of a profile'],
    ['{"defaultProfile":"__proto__"}', 'defaultProfile must be the name of a profile'],
    ['{"profiles":{"__proto__":{}}}', 'a profile name is a reserved word'],
    ['{"profiles":{"sandbox":{}}}', 'a profile name is the name of the built-in sandbox'],
    ['{"profiles":{"shop":7}}', 'profile "shop" must be an object'],
    [`{"profiles":{"shop":{"apiKey":"${KEY}"}}}`, 'profile "shop" baseUrl must be a URL'],
    [
      `{"profiles":{"shop":{"baseUrl":"https://a.b","apiKey":"${KEY} "}}}`,
      'profile "shop" apiKey contains a space',
    ],
    [`{"profiles":{"shop":{"baseUrl":"${KEY}"}}}`, 'profile "shop" baseUrl '],
    [
      `{"profiles":{"shop":{"baseUrl":"https://a.b","limits":{"maxAmount":{"${KEY}":1}}}}}`,
      'profile "shop" limits.maxAmount must have currency codes',
    ],
    [
      `{"profiles":{"shop":{"baseUrl":"https://a.b","limits":{"operations":["${KEY}"]}}}}`,
      'profile "shop" limits.operations must be a list',
    ],
    [`{"${KEY}":1}`, 'it does not have an unknown field'],
    // The problem that causes the others comes first.
    ['{"version":2,"keys":{}}', 'version must be 1; a newer version'],
    ['{"profiles":{"shop":{"baseurl":"https://a.b"}}}', 'does not have "baseurl"; did you mean "baseUrl"?'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'is not UTF-8'],
    [' '.repeat(1024 * 1024 + 1), 'is larger than 1048576 bytes'],
  ])('that is damaged is refused and kept, without showing its keys: %#', (content, problem) => {
    const folder = newFolder()
    const path = store(folder, content)
    const before = readFileSync(path)
    const error = caught(() => readProfiles(folder, owner))
    expect(error).toMatchObject({ code: 'config_damaged', exitCode: 2 })
    expect(error.message).toContain(path)
    expect(error.message).toContain(problem)
    expect(error.details.hint).toContain(`mv ${path}`)
    expect(everythingOf(error)).not.toContain(KEY.slice(0, 8))
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('that is not JSON is refused with the line', () => {
    const error = caught(() => parseProfileFile('config.json', '{\n  "profiles": {},\n}'))
    expect(error.message).toContain('(line 3)')
  })

  test('that is a folder is refused', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'config.json'))
    const error = caught(() => readProfiles(folder, owner))
    expect(error.code).toBe('config_damaged')
    expect(error.message).toContain('is not a file')
  })

  test('that cannot be read is refused with the system error', () => {
    const folder = newFolder()
    const path = store(folder, {})
    const error = caught(() => readProfiles(path, owner))
    expect(error.code).toBe('config_permissions')
    expect(error.message).toContain('(ENOTDIR)')
    expect(error.details.hint).toContain('PAY_CONFIG_DIR')
  })
})

describe.skipIf(isWindows)('the modes of the profile file', () => {
  test.each([0o644, 0o640, 0o604])('mode %o, readable by others, gives a warning', (mode) => {
    const folder = newFolder()
    const path = store(folder, { profiles: { shop: SHOP } }, mode)
    const file = readProfiles(folder, owner)
    expect(file.profiles.size).toBe(1)
    expect(file.warnings).toEqual([`Other users can read the keys in ${path}: chmod 600 ${path}`])
  })

  test.each([0o666, 0o660, 0o602])('mode %o, writable by others, is refused', (mode) => {
    const folder = newFolder()
    const path = store(folder, { profiles: { shop: SHOP } }, mode)
    const error = caught(() => readProfiles(folder, owner))
    expect(error).toMatchObject({ code: 'config_permissions', exitCode: 2 })
    expect(error.message).toContain('can be changed by other users')
    expect(error.details.hint).toContain(`chmod 600 ${path}`)
  })

  test('a file of another user is refused', () => {
    const folder = newFolder()
    store(folder, {})
    // Read as another user; root may read its own file.
    const seenByAnother = owner.uid === 0 ? undefined : { uid: (owner.uid ?? 0) + 1 }
    if (seenByAnother === undefined) giveAway(folder)
    const error = caught(() => readProfiles(folder, seenByAnother ?? owner))
    expect(error.code).toBe('config_permissions')
    expect(error.message).toContain('belongs to another user')
  })

  test('are not checked on Windows', () => {
    const folder = newFolder()
    chmodSync(store(folder, {}), 0o666)
    expect(readProfiles(folder, { uid: undefined }).warnings).toEqual([])
  })
})

function giveAway(folder: string): void {
  chownSync(join(folder, 'config.json'), 12345, 12345)
}
