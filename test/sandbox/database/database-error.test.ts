import { describe, expect, test } from 'vitest'
import { toDatabaseError } from '../../../src/sandbox/database/database-error.ts'

describe('database errors', () => {
  test.each([
    [8, 'sandbox_not_writable', 'none'],
    [14, 'sandbox_not_writable', 'none'],
    [5, 'sandbox_busy', 'none'],
    // SQLITE_BUSY_SNAPSHOT
    [517, 'sandbox_busy', 'none'],
    [13, 'sandbox_disk_full', 'none'],
    [10, 'sandbox_disk', 'unknown'],
    // SQLITE_IOERR_WRITE
    [778, 'sandbox_disk', 'unknown'],
    [26, 'sandbox_damaged', 'none'],
    [11, 'sandbox_damaged', 'none'],
  ])('result code %i', (errcode, code, outcome) => {
    const error = Object.assign(new Error('whatever it says'), { code: 'ERR_SQLITE_ERROR', errcode })
    const worded = toDatabaseError(error, '/state/sandbox.db')
    expect(worded).toMatchObject({ code, details: { outcome, cause: error } })
    expect(String(worded)).toContain('/state/sandbox.db')
  })

  test.each([
    ['EROFS', 'sandbox_not_writable'],
    ['ENOSPC', 'sandbox_disk_full'],
  ])('system code %s', (systemCode, code) => {
    const error = Object.assign(new Error('whatever it says'), { code: systemCode })
    expect(toDatabaseError(error, '/state/sandbox.db')).toMatchObject({ code })
  })

  test('returns any other error unchanged', () => {
    const error = new TypeError('a defect of ours')
    expect(toDatabaseError(error, '/x')).toBe(error)
  })
})
