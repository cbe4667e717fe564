import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DONE, ONCE, REFUND, REFUSED, createLedgerBench, refundOf } from './ledger-bench.ts'
import { historyPath, touch } from './damage-bench.ts'

test('two writes that a full disk has cut short in one line stay open and can be resolved', async () => {
  const bench = createLedgerBench()
  const full = bench.process({
    disk: {
      ...bench.disk,
      append: async (path, text) => {
        await bench.disk.append(path, text.trimStart().slice(0, 300))
        throw new Error('ENOSPC')
      },
      // As two processes see it that write at once: the line of the other has not begun yet.
      size: async () => 0,
    },
  })
  const intents = await Promise.all([REFUND, refundOf('p2')].map((intent) => full.ledger.begin(intent, ONCE)))
  for (const intent of intents) await expect(intent.settle(DONE)).rejects.toThrow('ENOSPC')
  expect(readFileSync(historyPath(bench), 'utf8')).toMatch(/^\{"id":"op-1".*\{"id":"op-2"[^\n]*$/)
  bench.kill(full)
  touch(bench)
  for (const { id } of intents) {
    const open = await bench.process().ledger.reopen(id)
    expect(open.damage).toBeUndefined()
    await open.abandon('not wanted')
  }
  const next = { ...refundOf('p2'), idempotencyKey: 'key-2' }
  await expect(bench.process().ledger.begin(next, ONCE)).rejects.toMatchObject({ code: 'ledger_damaged' })
})

test('a write that was not sent is removed durably even when the disk is full', async () => {
  const bench = createLedgerBench()
  let synced: string[] = []
  let isFull = false
  const { ledger } = bench.process({
    disk: {
      ...bench.disk,
      append: () => Promise.reject(new Error('ENOSPC')),
      remove: async (path) => {
        await bench.disk.remove(path)
        synced = []
      },
      sync: async (path) => {
        synced.push(path)
        if (isFull && synced.length === 1) throw new Error('ENOSPC')
        await bench.disk.sync(path)
      },
    },
  })
  const intent = await ledger.begin(REFUND, ONCE)
  isFull = true
  await expect(intent.settle(REFUSED)).rejects.toThrow('ENOSPC')
  expect(bench.openNames()).toEqual([])
  const folder = join(bench.folder, 'open')
  expect(synced).toEqual([folder, folder])
})
