import { describe, expect, test } from 'vitest'
import { doRows, inOrder } from '../../../src/rows/send/row-loop.ts'
import type { RowLoop } from '../../../src/rows/send/row-loop.ts'

const ALWAYS = { window: 100, whenReady: () => undefined }
const GOING_ON = { aborted: false }
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Work that ends when the test says so. */
function heldWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    work: (row: string) =>
      new Promise<void>((resolve) => {
        begun.push(row)
        ends.set(row, resolve)
      }),
    end: async (row: string) => {
      ends.get(row)?.()
      await turn()
    },
  }
}

const loopOver = (rows: RowLoop<string>['rows'], more: Partial<RowLoop<string>>) =>
  doRows({
    rows,
    keyOf: (row) => row,
    work: async () => undefined,
    pace: ALWAYS,
    stop: GOING_ON,
    ...more,
  })

describe('the loop', () => {
  test('works on rows with one key in their order, and on others in parallel', async () => {
    const { begun, work, end } = heldWork()
    const done = loopOver([['a1', 'b1'], ['a2']], { keyOf: (row) => row.charAt(0), work })
    await turn()
    expect(begun).toEqual(['a1', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1', 'a2'])
    await end('a2')
    await done
  })

  test('has no more rows under way than the window, those that wait for their key included', async () => {
    const { begun, work, end } = heldWork()
    const taken: string[] = []
    function* rows() {
      for (const row of ['a1', 'a2', 'b1']) {
        taken.push(row)
        yield row
      }
    }
    const done = loopOver([rows()], {
      keyOf: (row) => row.charAt(0),
      work,
      pace: { window: 2, whenReady: () => undefined },
    })
    await turn()
    expect([begun, taken]).toEqual([['a1'], ['a1', 'a2']])
    await end('a1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('a2')
    await end('b1')
    await done
  })

  test('takes no row before the pace is ready', async () => {
    const { begun, work, end } = heldWork()
    let ready: (() => void) | undefined
    let isReady = false
    const whenReady = () => (isReady ? undefined : new Promise<void>((resolve) => (ready = resolve)))
    const done = loopOver([['a', 'b']], { work, pace: { window: 9, whenReady } })
    await turn()
    expect(begun).toEqual(['a'])
    isReady = true
    ready?.()
    await turn()
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    await end('b')
    await done
  })

  test('begins no row after a stop, closes its rows, and waits for those under way', async () => {
    const { begun, work, end } = heldWork()
    const stop = { aborted: false }
    let isClosed = false
    let isOver = false
    async function* rows() {
      try {
        for (const row of ['a', 'b', 'c']) yield [row]
      } finally {
        isClosed = true
      }
    }
    const done = loopOver(rows(), { work, stop, pace: { window: 2, whenReady: () => undefined } })
    void done.then(() => (isOver = true))
    await turn()
    stop.aborted = true
    await end('a')
    expect([begun, isClosed, isOver]).toEqual([['a', 'b'], true, false])
    await end('b')
    expect(isOver).toBe(true)
  })

  test('throws what reading the rows throws, once no row is under way', async () => {
    const { work, end } = heldWork()
    let failure: unknown
    async function* rows() {
      yield ['a']
      throw new Error('unreadable')
    }
    const done = loopOver(rows(), { work }).catch((error: unknown) => (failure = error))
    await turn()
    expect(failure).toBeUndefined()
    await end('a')
    await done
    expect(failure).toEqual(new Error('unreadable'))
  })
})

describe('rows in order', () => {
  test('are read ahead up to the window, and come in their order', async () => {
    const reading: number[] = []
    const resolves: (() => void)[] = []
    const read = (row: number) => {
      reading.push(row)
      return new Promise<number>((resolve) => resolves.push(() => resolve(row * 10)))
    }
    const all = inOrder(
      [
        [1, 2],
        [3, 4, 5],
      ],
      read,
      2,
    )
    const first = all.next()
    await turn()
    expect(reading).toEqual([1, 2, 3])
    for (const resolve of resolves.toReversed()) resolve()
    expect((await first).value).toEqual([1, 10])
    const second = all.next()
    await turn()
    expect(reading).toEqual([1, 2, 3, 4])
    expect((await second).value).toEqual([2, 20])
  })

  test('throw the failure of a reading when it is its turn', async () => {
    const seen: number[] = []
    const all = inOrder(
      [[1, 2, 3]],
      async (row: number) => {
        if (row === 2) throw new Error('unread')
        return row
      },
      9,
    )
    await expect(async () => {
      for await (const [row] of all) seen.push(row)
    }).rejects.toThrow('unread')
    expect(seen).toEqual([1])
  })
})
