import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readProfiles } from '../../../src/client/config/read-profiles.ts'
import { unwritableHint, updateProfiles } from '../../../src/client/config/update-profiles.ts'
import { lockFile } from '../../../src/store/file-lock.ts'
import { caughtAsync } from './caught.ts'
import { owner, store } from './folder.ts'
import { newFolder } from '../../support/folder.ts'
import { SHOP, add, system } from './update-case.ts'

const isWindows = process.platform === 'win32'
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('storing profiles', () => {
  test('creates a private folder and a private file', async () => {
    const folder = join(newFolder(), 'a', 'payctl')
    const written = await updateProfiles(folder, add(SHOP), system)
    expect(written.profiles.get('shop')).toEqual(SHOP)
    expect(readProfiles(folder, owner)).toEqual(written)
    expect(readdirSync(folder)).toEqual(['config.json'])
    if (isWindows) return
    expect(modeOf(folder)).toBe(0o700)
    expect(modeOf(join(folder, '..'))).toBe(0o700)
    expect(modeOf(join(folder, 'config.json'))).toBe(0o600)
  })

  test('writes indented JSON', async () => {
    const folder = newFolder()
    await updateProfiles(folder, (file) => ({ ...add(SHOP)(file), defaultProfile: 'shop' }), system)
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(`{
  "version": 1,
  "defaultProfile": "shop",
  "profiles": {
    "shop": {
      "baseUrl": "https://api.example.com",
      "mode": "test",
      "apiKey": "key_test_0123456789",
      "limits": {
        "maxAmount": {
          "EUR": 500
        }
      }
    }
  }
}
`)
  })

  test('starts from the stored profiles', async () => {
    const folder = newFolder()
    await updateProfiles(folder, add(SHOP), system)
    await updateProfiles(folder, add({ ...SHOP, name: 'other' }), system)
    expect([...readProfiles(folder, owner).profiles.keys()]).toEqual(['shop', 'other'])
  })

  test('can remove a profile', async () => {
    const folder = newFolder()
    await updateProfiles(folder, add(SHOP), system)
    await updateProfiles(folder, (file) => ({ ...file, profiles: new Map() }), system)
    expect(readProfiles(folder, owner).profiles.size).toBe(0)
  })

  test('writes nothing when nothing changes', async () => {
    const folder = newFolder()
    await updateProfiles(folder, (file) => file, system)
    expect(readdirSync(folder)).toEqual([])
  })

  test('writes nothing when the change throws', async () => {
    const folder = newFolder()
    await updateProfiles(folder, add(SHOP), system)
    const before = readFileSync(join(folder, 'config.json'))
    const refused = updateProfiles(
      folder,
      () => {
        throw new RangeError('refused')
      },
      system,
    )
    await expect(refused).rejects.toThrow('refused')
    expect(readdirSync(folder)).toEqual(['config.json'])
    expect(readFileSync(join(folder, 'config.json'))).toEqual(before)
  })

  test('writes nothing that it could not read back', async () => {
    const folder = newFolder()
    const error = await caughtAsync(updateProfiles(folder, add({ ...SHOP, name: 'a b' }), system))
    expect(error.message).toContain('a profile name must be')
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves a damaged file unchanged', async () => {
    const folder = newFolder()
    const path = store(folder, '{"profiles":{"shop":')
    const error = await caughtAsync(updateProfiles(folder, add(SHOP), system))
    expect(error.code).toBe('config_damaged')
    expect(readFileSync(path, 'utf8')).toBe('{"profiles":{"shop":')
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('changes a file with a byte order mark', async () => {
    const folder = newFolder()
    store(folder, '\uFEFF{}')
    await updateProfiles(folder, add(SHOP), system)
    expect([...readProfiles(folder, owner).profiles.keys()]).toEqual(['shop'])
  })

  test.skipIf(isWindows)('makes a readable file private', async () => {
    const folder = newFolder()
    const path = store(folder, {}, 0o644)
    const written = await updateProfiles(folder, add(SHOP), system)
    expect(modeOf(path)).toBe(0o600)
    expect(written.warnings).toEqual([])
  })

  test.skipIf(isWindows)('makes its own folder private, and leaves a folder with other files', async () => {
    const own = newFolder()
    chmodSync(own, 0o755)
    await updateProfiles(own, add(SHOP), system)
    expect(modeOf(own)).toBe(0o700)
    const shared = newFolder()
    writeFileSync(join(shared, 'notes.txt'), '')
    chmodSync(shared, 0o755)
    await updateProfiles(shared, add(SHOP), system)
    expect(modeOf(shared)).toBe(0o755)
  })

  test.skipIf(isWindows)('writes through a symbolic link', async () => {
    const folder = newFolder()
    const kept = store(newFolder(), {})
    symlinkSync(kept, join(folder, 'config.json'))
    writeFileSync(`${kept}.tmp-1234567890abcdef`, '{"half')
    await updateProfiles(folder, add(SHOP), system)
    expect(readdirSync(dirname(kept))).toEqual([basename(kept)])
    expect(realpathSync(join(folder, 'config.json'))).toBe(realpathSync(kept))
    expect(readFileSync(kept, 'utf8')).toContain('shop')
  })

  test.skipIf(isWindows)('replaces the file in a snap', async () => {
    vi.stubEnv('SNAP', '/snap/code/1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const folder = newFolder()
    const path = store(folder, {}, 0o644)
    const held = openSync(path, 'r')
    onTestFinished(() => closeSync(held))
    await updateProfiles(folder, add(SHOP), system)
    expect(readFileSync(held, 'utf8')).toBe('{}')
    expect(modeOf(path)).toBe(0o600)
  })

  test('waits while another process holds the lock', async () => {
    const folder = newFolder()
    const release = lockFile(join(folder, 'config.lock'))
    let sleptMs = 0
    const sleep = async (ms: number) => {
      sleptMs += ms
      if (sleptMs === 100) release?.()
    }
    await updateProfiles(folder, add(SHOP), { ...owner, sleep })
    expect(sleptMs).toBe(100)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('gives up if the lock stays held, and stores nothing', async () => {
    const folder = newFolder()
    const release = lockFile(join(folder, 'config.lock'))
    onTestFinished(() => release?.())
    const error = await caughtAsync(updateProfiles(folder, add(SHOP), system))
    expect(error).toMatchObject({
      code: 'config_locked',
      exitCode: 2,
      details: { hint: 'Wait for it, or end it.' },
    })
    expect(readdirSync(folder)).not.toContain('config.json')
  })

  test('takes over the lock file of a killed process', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'config.lock'), '')
    await updateProfiles(folder, add(SHOP), system)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('removes the temporary files of a killed process, and no copy of yours', async () => {
    const folder = newFolder()
    for (const end of ['next', 'next.tmp-1234567890abcdef', 'tmp-1234567890abcdef', 'damaged'])
      writeFileSync(join(folder, `config.json.${end}`), '{"half')
    await updateProfiles(folder, add(SHOP), system)
    expect(readdirSync(folder)).toEqual(['config.json', 'config.json.damaged'])
  })

  test('explains why the folder cannot be created', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    const target = join(folder, 'file', 'payctl')
    const error = await caughtAsync(updateProfiles(target, add(SHOP), system))
    expect(error).toMatchObject({ code: 'config_not_writable', exitCode: 2 })
    expect(error.message).toContain(target)
    expect(error.message).toContain('(ENOTDIR)')
    expect(error.details.hint).toContain('PAY_CONFIG_DIR')
  })

  test('never answers a full disk with chmod', () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'])
      expect(unwritableHint(code, '/home/me/.config/payctl')).not.toContain('chmod')
    expect(unwritableHint('ENOSPC', '/home/me/.config/payctl')).toContain('free some space')
  })

  // Root can write everywhere.
  test.skipIf(isWindows || owner.uid === 0)('explains that the folder is read-only', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'other'))
    chmodSync(folder, 0o500)
    const error = await caughtAsync(updateProfiles(folder, add(SHOP), system))
    chmodSync(folder, 0o700)
    expect(error.code).toBe('config_not_writable')
    expect(error.message).toContain('(EACCES)')
    expect(error.details.hint).toContain(`chmod u+rwx ${folder}`)
  })
})
