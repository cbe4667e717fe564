import { describe, expect, test } from 'vitest'
import { useBatchBench } from './batch-bench.ts'

const { pay, payment, plan } = useBatchBench()

/** Far more than any way out takes. */
const MOST_STEPS = 8

/** The command that a run of `apply` or `verify` names next, without the program and the account. */
function nextOf(stderr: string): string | undefined {
  const line = stderr
    .split('\n')
    .map((one) => /^\s*Next:? +pay --sandbox (.+)$/.exec(one)?.[1])
    .find((one) => one !== undefined)
  return line?.trim()
}

/** Follows what the commands name, from `first`, until nothing is named, or another command, or the same one: later. */
async function follow(first: string): Promise<{ readonly steps: readonly string[]; readonly end: string }> {
  const steps: string[] = []
  let command: string | undefined = first
  while (command !== undefined && steps.length < MOST_STEPS) {
    steps.push(command.split(' ')[1] ?? '')
    const ran = await pay(command)
    const next = nextOf(ran.stderr)
    if (next === undefined) return { steps, end: ran.exitCode === 0 ? 'done' : 'hint' }
    if (!next.startsWith('batch ')) return { steps, end: next.split(' ').slice(0, 2).join(' ') }
    if (next === command) return { steps, end: 'later' }
    command = next
  }
  return { steps, end: 'circle' }
}

const VERIFY = 'batch verify in.plan.ndjson'
const APPLY = 'batch apply in.plan.ndjson'

interface Situation {
  readonly token?: string
  /** What happens between the plan and the first command. */
  readonly before?: (id: string) => Promise<unknown>
  readonly fromVerify: string
  readonly fromApply: string
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'nothing has happened': { fromVerify: 'verify apply verify → later', fromApply: 'apply verify → later' },
  'it was applied, and the refund is pending': {
    before: () => pay(APPLY),
    fromVerify: 'verify → later',
    fromApply: 'apply verify → later',
  },
  'it was applied, and the refund is there': {
    before: async () => {
      await pay(APPLY)
      await pay('sandbox clock advance 1d')
    },
    fromVerify: 'verify → done',
    fromApply: 'apply verify → done',
  },
  'a part was refunded by hand': {
    before: (id) => pay(`payment refund ${id} --amount 100`),
    fromVerify: 'verify apply → hint',
    fromApply: 'apply → hint',
  },
  'a part was refunded by hand, and it was applied': {
    before: async (id) => {
      await pay(`payment refund ${id} --amount 100`)
      await pay(APPLY)
    },
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → hint',
  },
  'more was refunded by hand': {
    before: (id) => pay(`payment refund ${id} --amount 800`),
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → hint',
  },
  'the service refuses the row': {
    before: async () => {
      await pay("sandbox faults add --on 'POST /payments/*/refund' --do status=422")
      await pay(APPLY)
    },
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → later',
  },
  'the service cannot be read': {
    before: async () => {
      await pay(APPLY)
      await pay("sandbox faults add --on 'GET /payments/*' --do status=500")
    },
    fromVerify: 'verify → later',
    fromApply: 'apply verify → later',
  },
  'the answer to the row was lost': {
    before: async () => {
      await pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1")
      await pay(`${APPLY} --max-retries 0`)
    },
    fromVerify: 'verify → later',
    fromApply: 'apply verify → later',
  },
  'the refund failed later': {
    token: 'tok_refund_fails',
    before: async () => {
      await pay(APPLY)
      await pay('sandbox clock advance 2d')
    },
    fromVerify: 'verify → payment explain',
    fromApply: 'apply verify → payment explain',
  },
}

describe.each(Object.entries(SITUATIONS))('where %s', (_name, { token, before, fromVerify, fromApply }) => {
  test.each([
    ['verify', VERIFY, fromVerify],
    ['apply', APPLY, fromApply],
  ])('%s leads out', async (_from, command, expected) => {
    const id = await payment('o-1', token === undefined ? {} : { token })
    if (token !== undefined) await pay(`payment capture ${id}`)
    await plan('refund', `paymentId,amount\n${id},500\n`)
    await before?.(id)
    const { steps, end } = await follow(command)
    expect(`${steps.join(' ')} → ${end}`).toBe(expected)
  })
})
