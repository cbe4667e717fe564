import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRunStore } from '../../../src/rows/keep/run-store.ts'
import { useFolder } from '../../support/folder.ts'

const folder = useFolder()

test('reads its rows in small parts, since each may have a reject of a megabyte', () => {
  const store = openRunStore({ path: join(folder(), 'run.db'), name: 'test', isSentSynced: false })
  const numbers = Array.from({ length: 250 }, (_, index) => 3 * index + 1)
  for (const row of numbers)
    store.noteDone({
      row,
      line: row + 1,
      id: `p${row}`,
      outcome: 'failed',
      errorId: undefined,
      message: 'no',
      retries: 0,
      reject: `p${row},no\n`,
    })
  store.noteRead({ bytes: 1, hash: 'x', rows: 1000 })
  store.end([], 0)
  const parts = [...store.rows()]
  store.close()
  expect(parts.flat().map(({ row }) => row)).toEqual(numbers)
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(100)
})
