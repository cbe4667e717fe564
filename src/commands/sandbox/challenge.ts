import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { answerChallenge } from '../../sandbox/controls/customer.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const OUTCOMES = ['pass', 'fail'] as const

export const command: CommandSpec = {
  path: ['sandbox', 'challenge'],
  summary: "Complete a payment's required action as the customer or third party",
  details:
    'CLIENT_TOKEN is the requiredAction.clientToken of a pending payment: a 3DS challenge, a voucher, or a check by the processor. Prints the resume token for pay payment resume.',
  examples: [
    {
      purpose: 'the customer passes the challenge',
      line: 'pay sandbox challenge "$CLIENT_TOKEN" --outcome pass',
    },
  ],
  args: [
    {
      name: 'CLIENT_TOKEN',
      secret: true,
      ask: 'Client token',
      hint: 'from the pending payment',
      help: 'From the pending payment, or - to read it from stdin',
    },
  ],
  flags: {
    outcome: { kind: 'text', value: 'OUTCOME', choices: OUTCOMES, required: true, help: 'pass or fail' },
    ...FOLDER_FLAG,
  },
  run,
  risk: 'write',
  effect: 'Changes a sandbox payment: no real money.',
  related: ['payment resume'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const typed = input.args['CLIENT_TOKEN'] ?? ''
  const outcome = oneOf('--outcome', textFlag(input, 'outcome') ?? '', OUTCOMES)
  const clientToken =
    typed === '-' ? await readSecret(invocation, { what: 'CLIENT_TOKEN', label: 'Client token' }) : typed
  const completed = await withSandbox(invocation, (sandbox) =>
    sandbox.write((context) => ({ resumeToken: answerChallenge({ clientToken, outcome }, context) })),
  )
  return resultOf(completed, {
    ...textView(({ resumeToken }) => resumeToken),
    ids: ({ resumeToken }) => [resumeToken],
  })
}
