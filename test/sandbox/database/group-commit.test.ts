import { expect, test } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import { groupCommits } from '../../../src/sandbox/database/group-commit.ts'

type World = string[]

/** A transaction whose writes are a list, with the options of each one. */
function createTransactions(
  fail: (attempt: number) => unknown = () => undefined,
  options: { readonly maxBusyMs?: number } = {},
) {
  const commits: { readonly writes: World; readonly isDurable: boolean }[] = []
  let attempts = 0
  const group = groupCommits<World>((work, { isDurable }) => {
    attempts += 1
    const writes: World = []
    work(writes)
    const error = fail(attempts)
    if (error !== undefined) throw error
    commits.push({ writes, isDurable })
  }, options)
  const write = (name: string, isDurable = true) =>
    group.run(
      (world) => {
        world.push(name)
        return name
      },
      { isDurable },
    )
  return { group, commits, write, attempts: () => attempts }
}

const failure = (code: string) => new PayError(code, EXIT.usage, 'the database said no')

test('work from one tick of the event loop shares one commit, in order', async () => {
  const { commits, write } = createTransactions()
  expect(await Promise.all(['a', 'b', 'c'].map((name) => write(name)))).toEqual(['a', 'b', 'c'])
  await write('d')
  expect(commits.map(({ writes }) => writes)).toEqual([['a', 'b', 'c'], ['d']])
})

test('waits a few more ticks while work keeps arriving', async () => {
  const { commits, write } = createTransactions()
  const pieces: Promise<string>[] = []
  await new Promise<void>((resolve) => {
    const arrive = (number: number) => {
      pieces.push(write(String(number)))
      if (number < 30) setImmediate(() => arrive(number + 1))
      else resolve()
    }
    arrive(0)
  })
  await Promise.all(pieces)
  const sizes = commits.map(({ writes }) => writes.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(31)
  expect(sizes[0]).toBeGreaterThan(2)
  expect(sizes.length).toBeGreaterThan(3)
})

test('work resolves only after its commit', async () => {
  const order: string[] = []
  const group = groupCommits<World>((work) => {
    work([])
    order.push('commit')
  })
  const work = group.run(() => order.push('work'), { isDurable: true }).then(() => order.push('told'))
  const other = group.run(() => order.push('other'), { isDurable: true })
  await Promise.all([work, other])
  expect(order).toEqual(['work', 'other', 'commit', 'told'])
})

test('an error in one piece of work fails only that piece', async () => {
  const { group, commits, write } = createTransactions()
  const bad = group.run(
    () => {
      throw new Error('mine')
    },
    { isDurable: true },
  )
  const [good] = await Promise.all([write('good'), expect(bad).rejects.toThrow('mine')])
  expect(good).toBe('good')
  expect(commits).toHaveLength(1)
})

test('a failing database fails the whole group but not the next', async () => {
  const { commits, write } = createTransactions((attempt) =>
    attempt === 1 ? failure('sandbox_disk_full') : undefined,
  )
  const both = [write('a'), write('b')]
  for (const one of both) await expect(one).rejects.toMatchObject({ code: 'sandbox_disk_full' })
  expect(await write('c')).toBe('c')
  expect(commits.map(({ writes }) => writes)).toEqual([['c']])
})

test('work that meets a failing database fails the whole group', async () => {
  const { group, commits, write } = createTransactions()
  const bad = group.run(
    () => {
      throw failure('sandbox_disk')
    },
    { isDurable: true },
  )
  const good = write('good')
  await expect(bad).rejects.toMatchObject({ code: 'sandbox_disk' })
  await expect(good).rejects.toMatchObject({ code: 'sandbox_disk' })
  expect(commits).toEqual([])
})

test('retries a busy database and commits newly arrived work with it', async () => {
  const { commits, write, attempts } = createTransactions((attempt) =>
    attempt < 4 ? failure('sandbox_busy') : undefined,
  )
  const first = write('a')
  const meanwhile = new Promise<string>((resolve, reject) => {
    setImmediate(() => void write('b').then(resolve, reject))
  })
  expect(await Promise.all([first, meanwhile])).toEqual(['a', 'b'])
  expect(attempts()).toBe(4)
  expect(commits.map(({ writes }) => writes)).toEqual([['a', 'b']])
})

test('gives up on a database that stays busy, and tries again for the next group', async () => {
  let isBusy = true
  const { write, commits } = createTransactions(() => (isBusy ? failure('sandbox_busy') : undefined), {
    maxBusyMs: 10,
  })
  await expect(write('a')).rejects.toMatchObject({ code: 'sandbox_busy' })
  isBusy = false
  expect(await write('b')).toBe('b')
  expect(commits.map(({ writes }) => writes)).toEqual([['b']])
})

test('a commit is durable if any of its work must be', async () => {
  const { commits, write } = createTransactions()
  await Promise.all([write('read', false), write('read', false)])
  await Promise.all([write('read', false), write('write', true)])
  expect(commits.map(({ isDurable }) => isDurable)).toEqual([false, true])
})

test('drains at once if nothing is pending, otherwise after the last piece', async () => {
  const { group, commits, write } = createTransactions()
  await group.drain()
  const pieces = ['a', 'b'].map((name) => write(name))
  await group.drain()
  expect(commits).toHaveLength(1)
  await Promise.all(pieces)
})

test('draining tries a busy database once more, then fails pending work', async () => {
  let isBusy = true
  const { group, write, attempts, commits } = createTransactions(() =>
    isBusy ? failure('sandbox_busy') : undefined,
  )
  const waiting = expect(write('a')).rejects.toMatchObject({ code: 'sandbox_busy' })
  await expect.poll(attempts, { interval: 1 }).toBeGreaterThan(0)
  await group.drain()
  await waiting
  isBusy = false
  expect(await write('b')).toBe('b')
  expect(commits.map(({ writes }) => writes)).toEqual([['b']])
})
