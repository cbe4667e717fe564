import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SCENARIOS } from '../../sandbox/domain/scenarios/scenarios.ts'
import { scenariosView } from '../../views/sandbox/scenarios.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'scenarios'],
  summary: 'List test cards and tokens, and what they do',
  examples: [{ purpose: 'cards, tokens, processors, keys', line: 'pay sandbox scenarios' }],
  run: async ({ note }: Invocation) => {
    await note('embedded sandbox: no real money')
    return resultOf(SCENARIOS, scenariosView)
  },
  related: ['sandbox tokenize', 'payment create'],
}
