import { afterEach, beforeEach, expect } from 'vitest'
import type { CheckResult, Diagnosis } from '../../../../src/commands/top/doctor.ts'
import { createBench } from '../../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../../support/run-pay.ts'

export const KEY = 'key-of-the-shop-0123456789'

export const SHOP = { PAY_API_KEY: KEY, PAY_BASE_URL: 'https://api.example.com' }

/** A new bench for each test, and `pay doctor` on it. No output may contain the key. */
export function useDoctor() {
  let bench: Bench
  beforeEach(() => {
    bench = createBench()
  })
  afterEach(() => {
    bench.dispose()
  })

  async function diagnose(words = '--sandbox', options: RunOptions = {}) {
    const ran = await bench.runPay(`doctor ${words} --json`, options)
    const diagnosis: Diagnosis = JSON.parse(ran.stdout)
    expect(ran.stdout + ran.stderr).not.toContain(KEY)
    return { ...ran, ...diagnosis }
  }

  async function finding(
    check: string,
    words?: string,
    options?: RunOptions,
  ): Promise<CheckResult | undefined> {
    return (await diagnose(words, options)).findings.find((found) => found.check === check)
  }

  return {
    get bench(): Bench {
      return bench
    },
    diagnose,
    finding,
  }
}
