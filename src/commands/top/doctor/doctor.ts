import { selectAccount } from '../../../cli/account/account.ts'
import { switchFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { CommandSpec } from '../../../cli/command/spec.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { doctorView } from '../../../views/top/doctor.ts'
import type { CheckResult } from '../../../views/top/doctor.ts'
import { checkAccount, checkNetwork, checkMissingAccount } from './account.ts'
import { warning } from './check-result.ts'
import { checkFolder, checkNode, checkProfiles } from './machine.ts'
import { checkService } from './service.ts'
import { checkLedger, checkSandbox } from './state.ts'

export const command: CommandSpec = {
  path: ['doctor'],
  summary: 'Check this machine for problems, and suggest fixes',
  details:
    'Checks Node, folders and their permissions, the account in use and where its key comes from, proxy and certificates, the sandbox, and writes in doubt. Uses no network unless you add --online, which reads once from the service to check that it is reachable, accepts the key and has the same time. Changes nothing. Exit code 0: no problems, but possibly warnings; 2: problems.',
  examples: [
    { purpose: 'check this machine, without the network', line: 'pay doctor --sandbox' },
    { purpose: 'check the service as well', line: 'pay doctor --sandbox --online' },
    {
      purpose: 'print only the problems, for a script',
      line: 'pay doctor --sandbox --query "findings[?status==\'problem\']"',
    },
  ],
  flags: { online: { kind: 'switch', help: 'Also check the service, with one read' } },
  run,
  related: ['whoami', 'ops resolve', 'profile list'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const { context, settings } = invocation
  const { account, findings: accountFindings } = findAccount(invocation, input)
  if (account?.kind === 'sandbox') await invocation.noteSandbox()
  const asksService = switchFlag(input, 'online') && account?.apiKey !== undefined
  const findings: readonly CheckResult[] = [
    checkNode(context),
    checkFolder('config folder', context.configFolder, context),
    checkProfiles(context),
    checkFolder('state folder', context.stateFolder, context),
    ...accountFindings,
    ...(account === undefined ? [] : checkNetwork(account, context)),
    ...(account !== undefined && asksService
      ? await checkService(account, context, settings.timeoutMs)
      : skippedServiceCheck(account)),
    checkSandbox(context),
    ...(await checkLedger(context, account)),
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
      findings: [...checkAccount(account), ...warnings.map((message) => warning('key', message))],
    }
  } catch (error) {
    return { account: undefined, findings: [checkMissingAccount(error)] }
  }
}

/** The embedded sandbox needs no online check. */
const skippedServiceCheck = (account: Account | undefined): readonly CheckResult[] =>
  account?.kind === 'sandbox'
    ? []
    : [{ check: 'service', status: 'skipped', says: 'to check it and its clock, use --online' }]

function foundProblems(findings: readonly CheckResult[]): PayError {
  const names = [...new Set(findings.flatMap(({ check, status }) => (status === 'problem' ? [check] : [])))]
  return new PayError('doctor_found', EXIT.usage, `Found problems: ${names.join(', ')}`, {
    outcome: 'none',
    hint: 'Each problem above says how to fix it.',
  })
}
