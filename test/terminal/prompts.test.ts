import { afterEach, beforeEach, expect } from 'vitest'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { SpawnBench } from '../support/spawn-pay.ts'
import { ENTER, payInTerminal, terminalTest } from '../support/terminal.ts'

let bench: SpawnBench
beforeEach(() => {
  bench = createSpawnBench()
})
afterEach(() => {
  bench.dispose()
})

terminalTest('asks for the missing id on the terminal', async () => {
  const shown = await payInTerminal('--sandbox payment get', {
    env: bench.env,
    steps: [{ when: 'Payment ID', type: `abc123456${ENTER}` }],
  })
  expect(shown.exitCode).toBe(5)
  expect(shown.screen).toContain('PaymentError')
})
