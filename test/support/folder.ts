import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, onTestFinished } from 'vitest'

const make = (): string => mkdtempSync(join(tmpdir(), 'pay-test-'))

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    // Windows removes no file that is open, such as a database that a test leaves open.
    if (process.platform !== 'win32') throw error
  }
}

/** Returns a new folder, removed after the test. */
export function newFolder(): string {
  const folder = make()
  onTestFinished(() => remove(folder))
  return folder
}

/** Makes a new folder for each test of a file. Returns the function that names it. */
export function useFolder(): () => string {
  let folder = ''
  beforeEach(() => {
    folder = make()
  })
  afterEach(() => remove(folder))
  return () => folder
}
