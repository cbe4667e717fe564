import { expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const CREATE = "payment create --token tok_visa --amount '10.00 EUR' --order-id A-1"

test('suggests the capture on the account of the payment', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE}`)
  expect(made.stderr).toMatch(/^Next: pay --sandbox payment capture \w+$/m)
  const inUse = await bench.runPay(CREATE, { env: { PAY_PROFILE: 'sandbox' } })
  expect(inUse.stderr).toMatch(/^Next: pay payment capture \w+$/m)
})

test('suggests the resume on the account of the payment', async () => {
  const made = await bench.runPay(`--profile sandbox ${CREATE.replace('tok_visa', 'tok_3ds')}`)
  expect(made.exitCode).toBe(0)
  expect(made.stderr).toMatch(/then pay --profile sandbox payment resume \w+ --resume-token -$/m)
})

test('says where to find the token of a challenge without printing it', async () => {
  const made = await bench.runPay(`--sandbox ${CREATE.replace('tok_visa', 'tok_3ds')}`)
  const [line = ''] =
    /pay --sandbox payment get \w+ -o id --query requiredAction.clientToken/.exec(made.stderr) ?? []
  const { stdout: token } = await bench.runPay(line.replace(/^pay /, ''))
  expect(token).toMatch(/^eyJ/)
  expect(made.stdout).toContain('requiredAction.clientToken, with --json')
  expect(made.stdout + made.stderr).not.toContain(token.trim())
})

test('says that the method is saved and where to find its new token', async () => {
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

test('suggests the explanation of a declined or failed payment', async () => {
  for (const token of ['tok_declined', 'tok_failed']) {
    const made = await bench.runPay(`--sandbox ${CREATE.replace('tok_visa', token)} --again`)
    expect(made.exitCode).toBe(13)
    expect(made.stderr).toMatch(/^To see why, and whether to try again: pay --sandbox payment explain \w+$/m)
  }
})

test('text from the service cannot control the terminal', async () => {
  const answer = { id: 'p1', status: 'PENDING', requiredAction: { description: 'wait\u001b[2J\u0007 here' } }
  const made = await bench.runPay(`--sandbox ${CREATE}`, { service: () => jsonAnswer(200, answer) })
  expect(made.exitCode).toBe(0)
  expect(made.stderr).toContain('wait')
  for (const sign of ['\u001b', '\u0007']) expect(made.stderr).not.toContain(sign)
})

test('omits from suggestions an id that a shell would interpret', async () => {
  const answer = { id: 'p1; rm -rf $HOME', status: 'AUTHORIZED' }
  const made = await bench.runPay(`--sandbox ${CREATE}`, { service: () => jsonAnswer(200, answer) })
  expect(made.stderr).toContain('Next: pay --sandbox payment capture ID\n')
})
