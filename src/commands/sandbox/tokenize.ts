import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readSecret } from '../../cli/request/read-secret.ts'
import { UsageError } from '../../errors.ts'
import { SCENARIOS } from '../../sandbox/domain/scenarios/scenarios.ts'
import { tokenize, METHOD_TYPES } from '../../sandbox/controls/customer.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const TEST_CARDS = SCENARIOS.paymentMethods.flatMap(({ card }) => (card === undefined ? [] : [card]))

export const command: CommandSpec = {
  path: ['sandbox', 'tokenize'],
  summary: 'Turn a test card or another payment method into a token, as a checkout would',
  details: [
    'The token is for one payment. Give exactly one of --card, --method and --saved-method. A payment with IDEAL or BOLETO waits for a third party: see pay sandbox challenge.',
    'With --client-token, the token belongs to that session: a payment created with it takes missing values from the session.',
  ].join('\n\n'),
  examples: [
    { purpose: 'use a card that is approved', line: 'pay sandbox tokenize --card 4111111111111111' },
    { purpose: 'print only the token', line: 'pay sandbox tokenize --card 4000000000000002 -o id' },
    { purpose: 'pay with PayPal', line: 'pay sandbox tokenize --method PAYPAL' },
  ],
  flags: {
    card: {
      kind: 'text',
      value: 'NUMBER',
      suggestions: TEST_CARDS,
      help: 'A test card from pay sandbox scenarios',
    },
    method: {
      kind: 'text',
      value: 'TYPE',
      choices: METHOD_TYPES,
      help: `Another method: ${METHOD_TYPES.join(', ')}`,
    },
    'saved-method': {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'A saved method from pay instrument list, or - to read it from stdin',
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
  const method = await readMethod(invocation, input)
  const clientToken = await readToken(invocation, input, { flag: 'client-token', label: 'Client token' })
  const created = await withSandbox(invocation, (sandbox) =>
    sandbox.write((context) => ({ paymentMethodToken: tokenize({ ...method, clientToken }, context) })),
  )
  return resultOf(created, {
    ...textView(({ paymentMethodToken }) => paymentMethodToken),
    ids: ({ paymentMethodToken }) => [paymentMethodToken],
  })
}

async function readMethod(invocation: Invocation, input: CommandInput) {
  const given = (['card', 'method', 'saved-method'] as const).filter(
    (flag) => textFlag(input, flag) !== undefined,
  )
  if (given.length > 1) throw givenTogether(given)
  if (textFlag(input, 'saved-method') === '-' && textFlag(input, 'client-token') === '-')
    throw givenTogether(['saved-method -', 'client-token -'])
  if (given.length === 0) return { card: await askCard(invocation) }
  const method = textFlag(input, 'method')
  return {
    card: textFlag(input, 'card'),
    method: method === undefined ? undefined : oneOf('--method', method, METHOD_TYPES),
    savedMethod: await readToken(invocation, input, { flag: 'saved-method', label: 'Saved method' }),
  }
}

async function readToken(
  invocation: Invocation,
  input: CommandInput,
  { flag, label }: { readonly flag: string; readonly label: string },
): Promise<string | undefined> {
  const typed = textFlag(input, flag)
  return typed === '-' ? readSecret(invocation, { what: `--${flag}`, label }) : typed
}

const givenTogether = (flags: readonly string[]) =>
  new UsageError(`${flags.map((flag) => `--${flag}`).join(' and ')} cannot be used together`, {
    code: 'given_twice',
  })

async function askCard(invocation: Invocation): Promise<string> {
  if (!invocation.isInteractive)
    throw new UsageError('Missing: --card, --method or --saved-method', {
      code: 'missing_input',
      next: ['pay sandbox scenarios'],
    })
  const choices = SCENARIOS.paymentMethods.flatMap(({ card, what }) =>
    card === undefined ? [] : [{ value: card, text: `${card}  ${what}` }],
  )
  const prompts = await invocation.prompts()
  return prompts.choose({ label: 'Card', choices, freeText: { what: 'another card number' } })
}
