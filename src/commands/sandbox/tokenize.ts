import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import { UsageError } from '../../errors.ts'
import { SCENARIOS } from '../../sandbox/domain/scenarios/scenarios.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const TEST_CARDS = SCENARIOS.paymentMethods.flatMap(({ card }) => (card === undefined ? [] : [card]))

export const command: CommandSpec = {
  path: ['sandbox', 'tokenize'],
  summary: 'Turn a test card into a payment method token, as a checkout would',
  details:
    'With --client-token, the token belongs to that session: a payment created with it takes missing values from the session.',
  examples: [
    { purpose: 'use a card that is approved', line: 'pay sandbox tokenize --card 4111111111111111' },
    { purpose: 'print only the token', line: 'pay sandbox tokenize --card 4000000000000002 -o id' },
  ],
  flags: {
    card: {
      kind: 'text',
      value: 'NUMBER',
      suggestions: TEST_CARDS,
      help: 'A test card from pay sandbox scenarios',
    },
    'client-token': {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'Client token of a session, or - to read it from stdin',
    },
    ...FOLDER_FLAG,
  },
  run,
  risk: 'write',
  effect: 'Creates a token in the sandbox: no real money.',
  related: ['sandbox scenarios', 'payment create'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const card = textFlag(input, 'card') ?? (await askCard(invocation))
  const typed = textFlag(input, 'client-token')
  const clientToken =
    typed === '-' ? await readSecret(invocation, { what: '--client-token', label: 'Client token' }) : typed
  const created = await withSandbox(invocation, (sandbox) => sandbox.tokenize({ card, clientToken }))
  return resultOf(created, {
    ...textView(({ paymentMethodToken }) => paymentMethodToken),
    ids: ({ paymentMethodToken }) => [paymentMethodToken],
  })
}

async function askCard(invocation: Invocation): Promise<string> {
  if (!invocation.isInteractive)
    throw new UsageError('Missing: --card', { code: 'missing_input', next: ['pay sandbox scenarios'] })
  const choices = SCENARIOS.paymentMethods.flatMap(({ card, what }) =>
    card === undefined ? [] : [{ value: card, text: `${card}  ${what}` }],
  )
  const prompts = await invocation.prompts()
  return prompts.choose({ label: 'Card', choices, freeText: { what: 'another card number' } })
}
