import { afterAll, describe, expect, test } from 'vitest'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { Scripted } from '../support/scripted-server.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Ended } from '../support/spawn-pay.ts'
import { CASES } from './exit-code-cases.ts'
import type { Script } from './exit-code-cases.ts'
import { errorOf } from '../support/run-result.ts'

/** The exit codes as a shell sees them: the built program against a real port. */

const KEY = 'key_of_a_contract_test_4711'

const bench = createSpawnBench()
afterAll(() => bench.dispose())

const isScript = (script: Scripted | Script): script is Script =>
  typeof script === 'function' || Array.isArray(script)

/** Runs the program against a server with this script. A single response answers every attempt. */
async function pay(script: Scripted | Script, words: string): Promise<Ended> {
  const server = await startScriptedServer(isScript(script) ? script : () => script)
  try {
    return await bench.pay(words, { env: { PAY_API_KEY: KEY, PAY_BASE_URL: server.url } })
  } finally {
    await server.close()
  }
}

describe.each(CASES)('exit %d', (exitCode, cases) => {
  test.for(cases)('%s', async ([, words, script, outcome]) => {
    const ended = await pay(script, `${words} --json`)
    expect(ended).toMatchObject({ exitCode, signal: null })
    expect(ended.stdout + ended.stderr).not.toContain(KEY)
    if (exitCode === 0) return
    const error: unknown = errorOf(ended)
    expect(error).toMatchObject({ exitCode, ...(outcome === undefined ? {} : { outcome }) })
    // Exit 8 and 13 print the payment, other failures print nothing.
    if (exitCode === 8 || exitCode === 13) expect(() => JSON.parse(ended.stdout)).not.toThrow()
    else expect(ended.stdout).toBe('')
  })
})
