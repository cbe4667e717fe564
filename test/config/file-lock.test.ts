import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withLock } from '../../src/config/file-lock.ts'
import { caughtAsync } from './caught.ts'
import { newFolder } from './folder.ts'

/** A fake clock that advances only by sleeping. `during` runs at each sleep. */
function fakeTools(during: (sleptMs: number) => void = () => {}) {
  let slept = 0
  let ids = 0
  return {
    newId: () => `holder-${++ids}`,
    sleep: (ms: number): Promise<void> => {
      slept += ms
      during(slept)
      return Promise.resolve()
    },
    sleptMs: () => slept,
  }
}

describe('the lock', () => {
  test('exists during the work, is private, and is removed afterwards', async () => {
    const path = join(newFolder(), 'config.lock')
    const answer = await withLock(path, fakeTools(), (confirm) => {
      confirm()
      if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
      return readFileSync(path, 'utf8')
    })
    expect(answer).toBe('holder-1')
    expect(existsSync(path)).toBe(false)
  })

  test('is removed after work that throws', async () => {
    const path = join(newFolder(), 'config.lock')
    const failing = withLock(path, fakeTools(), () => {
      throw new TypeError('work')
    })
    await expect(failing).rejects.toThrow('work')
    expect(existsSync(path)).toBe(false)
  })

  test('is waited for while another process holds it', async () => {
    const path = join(newFolder(), 'config.lock')
    writeFileSync(path, 'another')
    const tools = fakeTools((sleptMs) => {
      if (sleptMs === 100) rmSync(path)
    })
    expect(await withLock(path, tools, () => readFileSync(path, 'utf8'))).toBe('holder-1')
    expect(tools.sleptMs()).toBe(100)
  })

  test('of a dead holder is taken over after five seconds', async () => {
    const folder = newFolder()
    const path = join(folder, 'config.lock')
    writeFileSync(path, 'dead')
    const tools = fakeTools()
    expect(await withLock(path, tools, () => 'done')).toBe('done')
    expect(tools.sleptMs()).toBeGreaterThanOrEqual(5000)
    expect(readdirSync(folder)).toEqual([])
  })

  test('of a holder that died before it wrote its token is taken over too', async () => {
    const path = join(newFolder(), 'config.lock')
    writeFileSync(path, '')
    expect(await withLock(path, fakeTools(), () => 'done')).toBe('done')
  })

  test('that changes holders is not abandoned: waiting ends with a hint', async () => {
    const folder = newFolder()
    const path = join(folder, 'config.lock')
    writeFileSync(path, 'busy')
    const tools = fakeTools((sleptMs) => writeFileSync(path, `busy-${sleptMs}`))
    const error = await caughtAsync(withLock(path, tools, () => 'done'))
    expect(error.code).toBe('config_locked')
    expect(error.exitCode).toBe(2)
    expect(error.message).toContain(path)
    expect(error.details.hint).toContain(`rm -f ${path}`)
    expect(readFileSync(path, 'utf8')).toMatch(/^busy-/)
  })

  test('is not removed twice when another process is removing it', async () => {
    const folder = newFolder()
    const path = join(folder, 'config.lock')
    writeFileSync(path, 'dead')
    writeFileSync(`${path}.breaking`, 'dead')
    const error = await caughtAsync(withLock(path, fakeTools(), () => 'done'))
    expect(error.details.hint).toContain(`${path}.breaking`)
    expect(readFileSync(path, 'utf8')).toBe('dead')
  })

  test('that was lost makes the work fail and is left to its new holder', async () => {
    const path = join(newFolder(), 'config.lock')
    const work = withLock(path, fakeTools(), (confirm) => {
      writeFileSync(path, 'another')
      confirm()
    })
    const error = await caughtAsync(work)
    expect(error.code).toBe('config_locked')
    expect(error.message).toContain('Nothing was stored')
    expect(readFileSync(path, 'utf8')).toBe('another')
  })

  test('of another process is left alone when waiting is interrupted', async () => {
    const folder = newFolder()
    const path = join(folder, 'config.lock')
    writeFileSync(path, 'another')
    const tools = fakeTools((sleptMs) => {
      if (sleptMs === 100) throw new Error('given up')
    })
    await expect(withLock(path, tools, () => 'done')).rejects.toThrow('given up')
    expect(readFileSync(path, 'utf8')).toBe('another')
    expect(readdirSync(folder)).toEqual(['config.lock'])
  })

  test('that cannot be created fails with the system error', async () => {
    const path = join(newFolder(), 'none', 'config.lock')
    await expect(withLock(path, fakeTools(), () => 'done')).rejects.toThrow('ENOENT')
  })
})
