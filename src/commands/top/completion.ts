import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { INSTALL, SCRIPTS, SHELLS } from './completion-scripts.ts'

export const command: CommandSpec = {
  path: ['completion'],
  summary: 'Print a completion script for bash, zsh, fish or PowerShell',
  details: [
    'To install it, run the line for your shell once:',
    '',
    ...SHELLS.flatMap((shell) => [`  # ${shell}`, `  ${INSTALL[shell]}`]),
    '',
    "Then open a new shell. Tab completes commands, flags, values, profiles and recent payments. Completions come only from this machine: its profiles, and the payments recently written to with the line's profile. No network, no secrets.",
  ].join('\n'),
  examples: [
    { purpose: 'save the script for bash', line: 'pay completion bash > pay.bash' },
    { purpose: 'print the line that installs it, for a script', line: 'pay completion zsh --query install' },
  ],
  args: [{ name: 'SHELL', choices: SHELLS, help: SHELLS.join(', ') }],
  run: async (_invocation, input) => {
    const shell = oneOf('SHELL', input.args['SHELL'] ?? '', SHELLS)
    const script = SCRIPTS[shell]
    return resultOf(
      { shell, script, install: INSTALL[shell] },
      { ...textView(() => script.trimEnd()), ids: () => [shell] },
    )
  },
  related: ['help', 'commands'],
}
