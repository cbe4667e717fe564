import { riskOf } from '../../cli/command/spec.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'

/** Commands that only a person may run, whatever their risk: they lift a protection, or answer for someone. */
const FOR_PEOPLE = ['batch approve', 'ops abandon', 'profile set', 'profile remove', 'ledger limit', 'desk']

const nameOf = ({ path }: CommandSpec): string => path.join(' ')

/**
 * The page of `pay help agents`, from the table of commands: what reads, what moves money, what to do after each exit code, and
 * how a person decides. `codes`: the lines of exit codes as `pay help exit-codes` has them.
 */
export function agentsTopic(specs: readonly CommandSpec[], codes: string): string {
  const named = (isIn: (spec: CommandSpec) => boolean): string =>
    specs
      .filter((spec) => isIn(spec) && !FOR_PEOPLE.includes(nameOf(spec)))
      .map(nameOf)
      .join(', ')
  return `Agents and other programs that decide by themselves

  read freely         ${named((spec) => riskOf(spec) === 'read')}
  changes data        ${named((spec) => riskOf(spec) === 'write')}
  moves money         ${named((spec) => riskOf(spec) === 'money')}
  can't be undone     ${named((spec) => riskOf(spec) === 'destructive')}
  people only         ${FOR_PEOPLE.join(', ')}

Use a profile of your own that can do no more than the task needs: pay profile set agent --operations "payment.capture,payment.refund" --max-amount "50 EUR" --max-total "500 EUR/24h" --max-count 20/1h. No flag lifts these limits, and --yes doesn't either. To try something, add --sandbox: no key, no network, no real money.

Add --json --no-input to every command. stdout has the result alone. An error is one JSON object on the last line of stderr: code, exitCode, outcome (none, applied or unknown), retryable, next. pay commands -o json describes every command, pay schema OPERATION every body. Add --dry-run to see the request without sending it.

${codes}

Before you repeat a write, read its exit code: 10 means that money may have moved. Don't send it again. Run pay ops resolve ID with the operationId of the error, or hand it to a person. Give every write a ticket, such as --once SUP-1042: the same ticket moves money once per payment, no matter how often the command runs. Never add --again, --resend or --no-validate by yourself: each lifts a protection that a person has to decide about.

Hand larger work to a person as a plan. pay batch plan refund FILE reads only, and writes a plan with a verdict for each row. A person looks at it (pay batch show PLAN), approves it with their own key (pay batch approve PLAN --key FILE), and pay batch apply PLAN does exactly that plan, each row once. With pay profile set agent --approvals 1 --signers FILE, no plan is applied without that signature.

Report what you did: pay ops list --json has each write with its order, amount, outcome and reason; add --reason "why" to each.
`
}
