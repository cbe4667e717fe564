import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import { UsageError } from '../../errors.ts'
import { SCENARIOS } from '../../sandbox/domain/scenarios.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const TEST_CARDS = SCENARIOS.paymentMethods.flatMap(({ card }) => (card === undefined ? [] : [card]))

export const command: CommandSpec = {
  path: ['sandbox', 'tokenize'],
  summary: 'Turn a test card into a payment method token, as the checkout would',
  details:
    'With --client-token the token belongs to that session: a payment made with it takes what it does not say from there.',
  examples: [
    { says: 'a card that is approved', line: 'pay sandbox tokenize --card 4111111111111111' },
    { says: 'the token alone', line: 'pay sandbox tokenize --card 4000000000000002 -o id' },
  ],
  flags: {
    card: { kind: 'text', value: 'NUMBER', known: TEST_CARDS, help: 'A test card of pay sandbox scenarios' },
    'client-token': {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'The client session, or - to read its token from stdin',
    },
    ...FOLDER_FLAG,
  },
  run,
  risk: 'write',
  effect: 'Makes a token in the sandbox: no real money.',
  related: ['sandbox scenarios', 'payment create'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const card = textFlag(input, 'card') ?? (await askCard(invocation))
  const typed = textFlag(input, 'client-token')
  const clientToken =
    typed === '-' ? await readSecret(invocation, { what: '--client-token', label: 'Client token' }) : typed
  const made = await withSandbox(invocation, (sandbox) => sandbox.tokenize({ card, clientToken }))
  return resultOf(made, {
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
