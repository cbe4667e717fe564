import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Profile } from '../../src/config/profile.ts'
import { readProfiles } from '../../src/config/read-profiles.ts'
import type { ProfileFile } from '../../src/config/read-profiles.ts'
import { updateProfiles } from '../../src/config/update-profiles.ts'
import { caughtAsync } from './caught.ts'
import { newFolder, owner, store } from './folder.ts'

const isWindows = process.platform === 'win32'
const SHOP: Profile = {
  name: 'shop',
  baseUrl: 'https://api.example.com',
  mode: 'test',
  modeIsGuess: false,
  apiKey: 'key_test_0123456789',
  limits: { readOnly: false, maxAmount: { EUR: 500 } },
}

let ids = 0
const system = { ...owner, newId: () => `test-${++ids}`, sleep: () => Promise.resolve() }
const add =
  (profile: Profile) =>
  (file: ProfileFile): ProfileFile => ({
    ...file,
    profiles: new Map([...file.profiles, [profile.name, profile]]),
  })
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('storing profiles', () => {
  test('makes the folder and the file, both private', async () => {
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

  test('writes JSON that a person can read', async () => {
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

  test('starts from what is stored at that moment', async () => {
    const folder = newFolder()
    await updateProfiles(folder, add(SHOP), system)
    await updateProfiles(folder, add({ ...SHOP, name: 'other' }), system)
    expect([...readProfiles(folder, owner).profiles.keys()]).toEqual(['shop', 'other'])
  })

  test('can remove', async () => {
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

  test('writes nothing when the change is refused', async () => {
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

  test('leaves a damaged file as it is', async () => {
    const folder = newFolder()
    const path = store(folder, '{"profiles":{"shop":')
    const error = await caughtAsync(updateProfiles(folder, add(SHOP), system))
    expect(error.code).toBe('config_damaged')
    expect(readFileSync(path, 'utf8')).toBe('{"profiles":{"shop":')
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('changes a file that an editor has begun with a byte order mark', async () => {
    const folder = newFolder()
    store(folder, '\uFEFF{}')
    await updateProfiles(folder, add(SHOP), system)
    expect([...readProfiles(folder, owner).profiles.keys()]).toEqual(['shop'])
  })

  test.skipIf(isWindows)('makes a file that others could read private', async () => {
    const folder = newFolder()
    const path = store(folder, {}, 0o644)
    const written = await updateProfiles(folder, add(SHOP), system)
    expect(modeOf(path)).toBe(0o600)
    expect(written.warnings).toEqual([])
  })

  test.skipIf(isWindows)(
    'closes a folder of its own to others, and leaves one that holds other things',
    async () => {
      const own = newFolder()
      chmodSync(own, 0o755)
      await updateProfiles(own, add(SHOP), system)
      expect(modeOf(own)).toBe(0o700)

      const shared = newFolder()
      writeFileSync(join(shared, 'notes.txt'), '')
      chmodSync(shared, 0o755)
      await updateProfiles(shared, add(SHOP), system)
      expect(modeOf(shared)).toBe(0o755)
    },
  )

  test.skipIf(isWindows)('writes through a link, which stays one', async () => {
    const folder = newFolder()
    const kept = store(newFolder(), {})
    symlinkSync(kept, join(folder, 'config.json'))
    writeFileSync(`${kept}.tmp-1234567890abcdef`, '{"half')
    await updateProfiles(folder, add(SHOP), system)
    expect(readdirSync(dirname(kept))).toEqual([basename(kept)])
    expect(realpathSync(join(folder, 'config.json'))).toBe(realpathSync(kept))
    expect(readFileSync(kept, 'utf8')).toContain('shop')
  })

  test.skipIf(isWindows)(
    'in a snap replaces the file too, and leaves the environment as it was',
    async () => {
      vi.stubEnv('SNAP', '/snap/code/1')
      onTestFinished(() => void vi.unstubAllEnvs())
      const folder = newFolder()
      const path = store(folder, {}, 0o644)
      const held = openSync(path, 'r')
      onTestFinished(() => closeSync(held))
      await updateProfiles(folder, add(SHOP), system)
      expect(readFileSync(held, 'utf8')).toBe('{}')
      expect(modeOf(path)).toBe(0o600)
      expect(process.env['SNAP']).toBe('/snap/code/1')
    },
  )

  test('stores nothing after losing the lock while it was held up', async () => {
    const folder = newFolder()
    await updateProfiles(folder, add(SHOP), system)
    const heldUp = (file: ProfileFile): ProfileFile => {
      writeFileSync(join(folder, 'config.lock'), 'another')
      return add({ ...SHOP, name: 'other' })(file)
    }
    const error = await caughtAsync(updateProfiles(folder, heldUp, system))
    expect(error.code).toBe('config_locked')
    expect([...readProfiles(folder, owner).profiles.keys()]).toEqual(['shop'])
    expect(readdirSync(folder)).toEqual(['config.json', 'config.lock'])
  })

  test('clears away what a killed process left half written', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'config.json.tmp-1234567890abcdef'), '{"half')
    await updateProfiles(folder, add(SHOP), system)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('where there can be no folder says so, and what to do', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    const target = join(folder, 'file', 'payctl')
    const error = await caughtAsync(updateProfiles(target, add(SHOP), system))
    expect(error.code).toBe('config_not_writable')
    expect(error.exitCode).toBe(2)
    expect(error.message).toContain(target)
    expect(error.message).toContain('(ENOTDIR)')
    expect(error.details.hint).toContain('PAY_CONFIG_DIR')
  })

  // root may write anywhere
  test.skipIf(isWindows || owner.uid === 0)('in a read-only folder says so, and what to do', async () => {
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

describe('processes that store at the same time', () => {
  let writer = ''

  beforeAll(async () => {
    // Node 20 runs no TypeScript: the writer is bundled as the program is.
    writer = join(mkdtempSync(join(tmpdir(), 'pay-writer-')), 'writer.mjs')
    await build({
      input: join(import.meta.dirname, 'profile-writer.ts'),
      platform: 'node',
      logLevel: 'silent',
      output: { file: writer, format: 'esm', codeSplitting: false },
    })
    return () => rmSync(join(writer, '..'), { recursive: true, force: true })
  })

  const start = (folder: string, name: string, count: number) =>
    spawn(process.execPath, [writer, folder, name, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })

  test('lose none of what the others stored', async () => {
    const folder = newFolder()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const codes = await Promise.all(
      names.map(async (name) => {
        const [code] = await once(start(folder, name, 5), 'exit')
        return String(code)
      }),
    )
    expect(codes).toEqual(names.map(() => '0'))
    const expected = names.flatMap((name) => [0, 1, 2, 3, 4].map((number) => `${name}-${number}`))
    expect([...readProfiles(folder, owner).profiles.keys()].toSorted()).toEqual(expected)
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  test('and are killed leave every profile that they reported, and a file that can be read and written', async () => {
    const folder = newFolder()
    const reported: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const child = start(folder, name, 1000)
      const exit = once(child, 'exit')
      let count = 0
      for await (const line of createInterface({ input: child.stdout })) {
        reported.push(line)
        if (++count === 4) child.kill('SIGKILL')
      }
      await exit
      const stored = readProfiles(folder, owner).profiles
      expect(reported.filter((each) => !stored.has(each))).toEqual([])
      // The killed one may have left its lock: it is waited for, without real time.
      await updateProfiles(folder, add({ ...SHOP, name: `after-${name}` }), system)
      reported.push(`after-${name}`)
    }
    expect(readdirSync(folder)).toEqual(['config.json'])
  })
})
