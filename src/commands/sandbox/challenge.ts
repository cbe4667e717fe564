import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import { UsageError } from '../../errors.ts'
import { oneOf } from '../one-of.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const OUTCOMES = ['pass', 'fail'] as const

export const command: CommandSpec = {
  path: ['sandbox', 'challenge'],
  summary: 'Answer for the customer or the third party that a payment waits for',
  details:
    'CLIENT_TOKEN is the requiredAction.clientToken of the pending payment: a 3DS check, a voucher, a check by the processor. Prints the resume token for pay payment resume.',
  examples: [{ says: 'the customer passes', line: 'pay sandbox challenge "$CLIENT_TOKEN" --outcome pass' }],
  args: [
    { name: 'CLIENT_TOKEN', secret: true, help: 'Of the payment that waits, or - to read it from stdin' },
  ],
  flags: {
    outcome: { kind: 'text', value: 'OUTCOME', choices: OUTCOMES, help: 'pass or fail' },
    ...FOLDER_FLAG,
  },
  run,
  risk: 'write',
  effect: 'Ends a wait in the sandbox: no real money.',
  related: ['payment resume'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const typed = input.args['CLIENT_TOKEN'] ?? (await askToken(invocation))
  const given = textFlag(input, 'outcome') ?? (await askOutcome(invocation))
  const missing = [
    ...(typed === undefined ? ['CLIENT_TOKEN'] : []),
    ...(given === undefined ? ['--outcome'] : []),
  ]
  if (typed === undefined || given === undefined)
    throw new UsageError(`Missing: ${missing.join(', ')}`, {
      code: 'missing_input',
      next: ['pay sandbox challenge --help'],
    })
  const outcome = oneOf('--outcome', given, OUTCOMES, { listed: OUTCOMES.join(' or ') })
  const clientToken =
    typed === '-' ? await readSecret(invocation, { what: 'CLIENT_TOKEN', label: 'Client token' }) : typed
  const made = await withSandbox(invocation, (sandbox) => sandbox.challenge({ clientToken, outcome }))
  return resultOf(made, {
    ...textView(({ resumeToken }) => resumeToken),
    ids: ({ resumeToken }) => [resumeToken],
  })
}

async function askToken(invocation: Invocation): Promise<string | undefined> {
  if (!invocation.isInteractive) return undefined
  return (await invocation.prompts()).secret({ label: 'Client token', hint: 'of the payment that waits' })
}

async function askOutcome(invocation: Invocation): Promise<string | undefined> {
  if (!invocation.isInteractive) return undefined
  const choices = [
    { value: 'pass', text: 'pass  the check is passed, the voucher paid' },
    { value: 'fail', text: 'fail  it is not' },
  ]
  return (await invocation.prompts()).choose({ label: 'Outcome', choices })
}
