import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'rolldown'
import { beforeAll, describe, expect, test } from 'vitest'
import { readProfiles } from '../../../src/client/config/read-profiles.ts'
import { updateProfiles } from '../../../src/client/config/update-profiles.ts'
import { owner } from './folder.ts'
import { newFolder } from '../../support/folder.ts'
import { SHOP, add, system } from './update-case.ts'

describe('processes that update at the same time', () => {
  let writer = ''

  beforeAll(async () => {
    // Node 20 can't run TypeScript, so the writer is bundled: here, where it finds SQLite.
    writer = join(mkdtempSync(join(import.meta.dirname, '../../../node_modules/.pay-writer-')), 'writer.mjs')
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

  test('do not lose profiles', async () => {
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

  test('keep every reported profile when they are killed', async () => {
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
      // The killed process may have left its lock; `system` sleeps without waiting.
      await updateProfiles(folder, add({ ...SHOP, name: `after-${name}` }), system)
      reported.push(`after-${name}`)
    }
    expect(readdirSync(folder)).toEqual(['config.json'])
  })

  // No file may grow beyond 8 blocks of 512 bytes: then a write stores a part without an error, as on a nearly full disk.
  test.skipIf(process.platform === 'win32')('keep the old file if the disk takes only a part', () => {
    const folder = newFolder()
    const limited = ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, writer, folder, 'a', '5']
    const { status, stdout, stderr } = spawnSync('sh', limited, { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stdout).toBe('a-0\n')
    expect(stderr).toContain(`The profiles in ${folder} could not be written (ENOSPC)`)
    expect([...readProfiles(folder, owner).profiles.keys()]).toEqual(['a-0'])
    expect(readdirSync(folder)).toEqual(['config.json'])
  })
})
