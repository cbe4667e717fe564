import { selectAccount } from '../../../cli/account/account.ts'
import { switchFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { CommandSpec } from '../../../cli/command/spec.ts'
import type { Account } from '../../../config/resolve-account.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { doctorView } from '../../../views/top/doctor.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { accountFindings, wayFindings, withoutAccount } from './account.ts'
import { warning } from './finding.ts'
import { folderFinding, nodeFinding, profilesFinding } from './machine.ts'
import { onlineFindings } from './online.ts'
import { ledgerFindings, sandboxFinding } from './state.ts'

export const command: CommandSpec = {
  path: ['doctor'],
  summary: 'Look for what could go wrong on this machine, and say what to do about it',
  details:
    'Node, folders and their permissions, the account in use and where its key comes from, proxy and certificates, the sandbox, and writes whose outcome is not known. Asks nobody, unless --online: then the service is read once, which tells whether it is reached, takes the key, and has the same time. Changes nothing. Exit code 0: no problems, though perhaps warnings; 2: a problem.',
  examples: [
    { says: 'this machine, without the network', line: 'pay doctor --sandbox' },
    { says: 'the service as well', line: 'pay doctor --sandbox --online' },
    { says: 'for a script', line: 'pay doctor --sandbox --query "findings[?status==\'problem\']"' },
  ],
  flags: { online: { kind: 'switch', help: 'Call the service too: one read' } },
  run,
  related: ['whoami', 'ops resolve', 'profile list'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const { context, settings } = invocation
  const { account, findings: ofAccount } = findAccount(invocation, input)
  const asksService = switchFlag(input, 'online') && account?.apiKey !== undefined
  const findings: readonly CheckResult[] = [
    nodeFinding(context),
    folderFinding('config folder', context.configFolder, context),
    profilesFinding(context),
    folderFinding('state folder', context.stateFolder, context),
    ...ofAccount,
    ...(account === undefined ? [] : wayFindings(account, context)),
    ...(account !== undefined && asksService
      ? await onlineFindings(account, context, settings.timeoutMs)
      : notAsked(account)),
    sandboxFinding(context),
    ...(await ledgerFindings(context)),
  ]
  const count = (status: CheckResult['status']) =>
    findings.filter((finding) => finding.status === status).length
  const problems = count('problem')
  const result = resultOf(
    { problems, warnings: count('warning'), findings },
    doctorView,
    problems === 0 ? EXIT.done : EXIT.usage,
  )
  return problems === 0 ? result : { ...result, problem: foundProblems(findings) }
}

function findAccount(
  { context }: Invocation,
  input: CommandInput,
): { readonly account: Account | undefined; readonly findings: readonly CheckResult[] } {
  try {
    const { account, warnings } = selectAccount(context, input, false)
    return {
      account,
      findings: [...accountFindings(account), ...warnings.map((says) => warning('key', says))],
    }
  } catch (error) {
    return { account: undefined, findings: [withoutAccount(error)] }
  }
}

/** The embedded sandbox needs no asking. */
const notAsked = (account: Account | undefined): readonly CheckResult[] =>
  account?.kind === 'sandbox'
    ? []
    : [{ check: 'service', status: 'skipped', says: 'whether it is reached, and what time it has: --online' }]

function foundProblems(findings: readonly CheckResult[]): PayError {
  const names = [...new Set(findings.flatMap(({ check, status }) => (status === 'problem' ? [check] : [])))]
  return new PayError('doctor_found', EXIT.usage, `Something is wrong: ${names.join(', ')}`, {
    outcome: 'none',
    hint: 'The remedies stand beside the findings',
  })
}
