import { readArgument } from '../../cli/parse/choices.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { INSTALL, SCRIPTS, SHELLS } from './completion-scripts.ts'

export const command: CommandSpec = {
  path: ['completion'],
  summary: 'Print what makes a shell complete commands, flags, values, profiles and recent ids',
  details: [
    'Once, in the shell of yours:',
    '',
    ...SHELLS.flatMap((shell) => [`  # ${shell}`, `  ${INSTALL[shell]}`]),
    '',
    'Then open a new shell. What Tab offers comes from this machine alone: the profiles, and the latest payments that were written to with the profile of the line. No network, no secrets.',
  ].join('\n'),
  examples: [
    { says: 'what bash runs', line: 'pay completion bash > pay.bash' },
    { says: 'the line that installs it, for a script', line: 'pay completion zsh --query install' },
  ],
  args: [{ name: 'SHELL', choices: SHELLS, help: SHELLS.join(', ') }],
  run: async (_invocation: Invocation, input: CommandInput) => {
    const shell = readArgument(input, 'SHELL', SHELLS, 'pay completion --help')
    const script = SCRIPTS[shell]
    return resultOf(
      { shell, script, install: INSTALL[shell] },
      { ...textView(() => script.trimEnd()), ids: () => [shell] },
    )
  },
  related: ['help', 'commands'],
}
