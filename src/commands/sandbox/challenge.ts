import { textFlag } from '../../cli/input.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { resultOf, textView } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { readSecretLine } from '../../cli/data.ts'
import { UsageError } from '../../errors.ts'
import { didYouMean } from '../../suggest.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const OUTCOMES = ['pass', 'fail'] as const

export const command: CommandSpec = {
  path: ['sandbox', 'challenge'],
  summary: "Play the customer in a payment's 3DS check",
  details:
    'CLIENT_TOKEN is the requiredAction.clientToken of the pending payment. The answer is the resume token for pay payment resume.',
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
  effect: 'Ends a 3DS check in the sandbox: no real money.',
  related: ['payment resume'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const typed = input.args['CLIENT_TOKEN']
  const given = textFlag(input, 'outcome')
  const missing = [
    ...(typed === undefined ? ['CLIENT_TOKEN'] : []),
    ...(given === undefined ? ['--outcome'] : []),
  ]
  if (typed === undefined || given === undefined)
    throw new UsageError(`Missing: ${missing.join(', ')}`, {
      code: 'missing_input',
      next: ['pay sandbox challenge --help'],
    })
  const outcome = readOutcome(given)
  const clientToken = typed === '-' ? await readSecretLine(invocation.context, 'CLIENT_TOKEN') : typed
  const made = await withSandbox(invocation, (sandbox) => sandbox.challenge({ clientToken, outcome }))
  return resultOf(made, {
    ...textView(({ resumeToken }) => resumeToken),
    ids: ({ resumeToken }) => [resumeToken],
  })
}

function readOutcome(text: string): 'pass' | 'fail' {
  if (text === 'pass' || text === 'fail') return text
  throw new UsageError(`--outcome takes pass or fail, not "${text}"`, {
    code: 'bad_value',
    hint: didYouMean(text, OUTCOMES),
  })
}
