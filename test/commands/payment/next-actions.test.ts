import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const CREATE = "payment create --token tok_visa --amount '10.00 EUR' --order-id A-1"

test('names the capture on the account that the payment was made on', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE}`)
  expect(made.stderr).toMatch(/^Next: pay --sandbox payment capture \w+$/m)
  const inUse = await bench.runPay(CREATE, { env: { PAY_PROFILE: 'sandbox' } })
  expect(inUse.stderr).toMatch(/^Next: pay payment capture \w+$/m)
})

test('names the resume on the account that the payment waits on', async () => {
  const made = await bench.runPay(`--profile sandbox ${CREATE.replace('tok_visa', 'tok_3ds')}`)
  expect(made.exitCode).toBe(0)
  expect(made.stderr).toMatch(/then pay --profile sandbox payment resume \w+ --resume-token -$/m)
})

test('says where the token of a challenge is, and not what it is', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE.replace('tok_visa', 'tok_3ds')}`)
  const [line = ''] =
    /pay --sandbox payment get \w+ -o id --query requiredAction.clientToken/.exec(made.stderr) ?? []
  const { stdout: token } = await bench.runPay(line.replace(/^pay /, ''))
  expect(token).toMatch(/^eyJ/)
  expect(made.stdout).toContain('requiredAction.clientToken, with --json')
  expect(made.stdout + made.stderr).not.toContain(token.trim())
})

test('says that a method is saved, and where its new token is', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE} --vault-on-success --customer-id c-1`)
  expect(made.stderr).toMatch(
    /^The payment method is saved. To list its token: pay --sandbox instrument list --customer-id c-1$/m,
  )
  expect(made.stdout).toMatch(/Saved +yes \(its token: paymentMethod.paymentMethodToken, with --json\)/)
  const { stdout: token } = await bench.runPay('--sandbox instrument list --customer-id c-1 -o id')
  expect(token.trim()).not.toBe('')
  expect(made.stdout + made.stderr).not.toContain(token.trim())
  expect((await bench.runPay(`--sandbox ${CREATE} --again`)).stderr).not.toContain('saved')
})

test('names the explanation of a payment that was declined or failed', async () => {
  for (const token of ['tok_declined', 'tok_failed']) {
    const made = await bench.runPay(`--sandbox ${CREATE.replace('tok_visa', token)} --again`)
    expect(made.exitCode).toBe(13)
    expect(made.stderr).toMatch(/^To see why, and whether to try again: pay --sandbox payment explain \w+$/m)
  }
})

test('lets no words of the service steer the terminal', async () => {
  const answer = { id: 'p1', status: 'PENDING', requiredAction: { description: 'wait\u001b[2J\u0007 here' } }
  const made = await bench.runPay(`--sandbox ${CREATE}`, { service: () => jsonAnswer(200, answer) })
  expect(made.exitCode).toBe(0)
  expect(made.stderr).toContain('wait')
  for (const sign of ['\u001b', '\u0007']) expect(made.stderr).not.toContain(sign)
})

test('writes no id into a suggested line that a shell would not take as it is', async () => {
  const answer = { id: 'p1; rm -rf $HOME', status: 'AUTHORIZED' }
  const made = await bench.runPay(`--sandbox ${CREATE}`, { service: () => jsonAnswer(200, answer) })
  expect(made.stderr).toContain('Next: pay --sandbox payment capture ID\n')
})
