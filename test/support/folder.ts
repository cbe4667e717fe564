import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, onTestFinished } from 'vitest'
import { removeFolder } from './remove-folder.ts'

const make = (): string => mkdtempSync(join(tmpdir(), 'pay-test-'))

/** Returns a new folder, removed after the test. */
export function newFolder(): string {
  const folder = make()
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** Makes a new folder for each test of a file. Returns the function that names it. */
export function useFolder(): () => string {
  let folder = ''
  beforeEach(() => {
    folder = make()
  })
  afterEach(() => removeFolder(folder))
  return () => folder
}
