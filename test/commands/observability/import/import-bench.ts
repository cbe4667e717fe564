import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { HttpRequest, HttpResponse } from '../../../../src/client/http/transport-port.ts'
import { SERVICE_ENV } from '../../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

/** A new bench for each test, and what the tests of imports do with it. */
export function useImportBench() {
  let bench: Bench
  beforeEach(() => {
    bench = createBench()
  })
  afterEach(() => {
    bench.dispose()
  })
  return {
    bench: () => bench,
    write: (name: string, content: string | Uint8Array): void =>
      writeFileSync(join(bench.folder, name), content),
    read: (name: string): string => readFileSync(join(bench.folder, name), 'utf8'),
    /** Imports into the sandbox. */
    importing: (words: string, options: RunOptions = {}) =>
      bench.runPay(`--sandbox observability import ${words}`, options),
    /** Imports into a scripted service. */
    withService: (
      words: string,
      service: (request: HttpRequest, attempt: number) => HttpResponse | Promise<HttpResponse>,
      options: RunOptions = {},
    ) => bench.runPay(`observability import ${words}`, { env: SERVICE_ENV, service, ...options }),
    /** Checks a file without sending anything. */
    check: (words: string, options?: RunOptions) =>
      bench.runPay(`observability import ${words} --dry-run`, options),
    stateFiles: (): readonly string[] => readdirSync(join(bench.stateFolder, 'imports')),
  }
}

export const okay = () => jsonAnswer(200, { amount: 1 })
