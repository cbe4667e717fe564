import { expect, test } from 'vitest'
import { EXIT, PayError } from '../../../src/errors.ts'
import { groupCommits } from '../../../src/sandbox/database/group-commit.ts'

type World = string[]

/** A transaction whose writes are a list, and what each one was asked for. */
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

test('what arrives in one turn of the event loop shares one commit, in its order', async () => {
  const { commits, write } = createTransactions()
  expect(await Promise.all(['a', 'b', 'c'].map((name) => write(name)))).toEqual(['a', 'b', 'c'])
  await write('d')
  expect(commits.map(({ writes }) => writes)).toEqual([['a', 'b', 'c'], ['d']])
})

test('what arrives in the next turns is waited for while there is more, but not for ever', async () => {
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

test('nobody hears of his work before it is committed', async () => {
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

test('an error of one piece of work is its own', async () => {
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

test('a failing database fails the whole group, and not the next one', async () => {
  const { commits, write } = createTransactions((attempt) =>
    attempt === 1 ? failure('sandbox_disk_full') : undefined,
  )
  const both = [write('a'), write('b')]
  for (const one of both) await expect(one).rejects.toMatchObject({ code: 'sandbox_disk_full' })
  expect(await write('c')).toBe('c')
  expect(commits.map(({ writes }) => writes)).toEqual([['c']])
})

test('work that meets a failing database ends the group', async () => {
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

test('a busy database is waited for, with what has arrived meanwhile in one commit', async () => {
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

test('a database that stays busy is given up in the end, and asked again for the next group', async () => {
  let isBusy = true
  const { write, commits } = createTransactions(() => (isBusy ? failure('sandbox_busy') : undefined), {
    maxBusyMs: 10,
  })
  await expect(write('a')).rejects.toMatchObject({ code: 'sandbox_busy' })
  isBusy = false
  expect(await write('b')).toBe('b')
  expect(commits.map(({ writes }) => writes)).toEqual([['b']])
})

test('a commit is durable when any of its work has to be', async () => {
  const { commits, write } = createTransactions()
  await Promise.all([write('read', false), write('read', false)])
  await Promise.all([write('read', false), write('write', true)])
  expect(commits.map(({ isDurable }) => isDurable)).toEqual([false, true])
})

test('drains at once when nothing waits, else after the last piece', async () => {
  const { group, commits, write } = createTransactions()
  await group.drain()
  const pieces = ['a', 'b'].map((name) => write(name))
  await group.drain()
  expect(commits).toHaveLength(1)
  await Promise.all(pieces)
})

test('draining gives a busy database one more try, and tells those that wait', async () => {
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
