import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, read, write } = useBatchBench()

/** Far more than any way out takes. */
const MOST_STEPS = 8

/** The command that a run of `apply` or `verify` names next, without the program and the account. */
function nextOf(stderr: string): string | undefined {
  const line = stderr
    .split('\n')
    .map((one) => /^\s*Next:? +pay(?: --sandbox)? (.+)$/.exec(one)?.[1])
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
  readonly operation?: 'refund' | 'capture' | 'cancel'
  /** The rows after the paymentId, for one that isn't a refund of 5.00. */
  readonly csv?: (id: string) => string
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
    fromVerify: 'verify apply → payment explain',
    fromApply: 'apply → payment explain',
  },
  'a part was refunded by hand, and it was applied': {
    before: async (id) => {
      await pay(`payment refund ${id} --amount 100`)
      await pay(APPLY)
    },
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → payment explain',
  },
  'more was refunded by hand': {
    before: (id) => pay(`payment refund ${id} --amount 800`),
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → payment explain',
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
  'the plan has expired': {
    before: async () => later(25),
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → hint',
  },
  'the plan has expired, and the refund was made by hand': {
    before: async (id) => {
      await pay(`payment refund ${id} --amount 500`)
      later(25)
    },
    fromVerify: 'verify → done',
    fromApply: 'apply → hint',
  },
  'the plan was applied a day ago, and a row was skipped': {
    before: async (id) => {
      await pay(`payment refund ${id} --amount 100`)
      await pay(APPLY)
      later(25)
    },
    fromVerify: 'verify → payment explain',
    fromApply: 'apply → payment explain',
  },
  'no row is ready': {
    csv: (id) => `paymentId,amount\n${id},99999\n`,
    fromVerify: 'verify → done',
    fromApply: 'apply → done',
  },
  'the plan was edited': {
    before: async () =>
      write('in.plan.ndjson', read('in.plan.ndjson').replace('"amount":500', '"amount":501')),
    fromVerify: 'verify → hint',
    fromApply: 'apply → hint',
  },
  'the end of the plan is missing': {
    before: async () => write('in.plan.ndjson', read('in.plan.ndjson').slice(0, -40)),
    fromVerify: 'verify → hint',
    fromApply: 'apply → hint',
  },
  'the plan is gone': {
    before: async () => rmSync(join(bench().folder, 'in.plan.ndjson')),
    fromVerify: 'verify list → done',
    fromApply: 'apply list → done',
  },
  'the plan was made for an earlier sandbox': {
    before: () => pay('sandbox reset --yes'),
    fromVerify: 'verify → hint',
    fromApply: 'apply → hint',
  },
  'another write on the payment is in doubt': {
    before: async (id) => {
      await pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1")
      await pay(`payment refund ${id} --amount 100 --max-retries 0`)
    },
    fromVerify: 'verify apply → payment explain',
    fromApply: 'apply → payment explain',
  },
  'a capture has not been applied': {
    token: 'tok_visa',
    operation: 'capture',
    fromVerify: 'verify apply verify → done',
    fromApply: 'apply verify → done',
  },
  'a capture was made by hand': {
    token: 'tok_visa',
    operation: 'capture',
    before: (id) => pay(`payment capture ${id} --amount 500`),
    fromVerify: 'verify → done',
    fromApply: 'apply → payment explain',
  },
  'a payment to capture was cancelled': {
    token: 'tok_visa',
    operation: 'capture',
    before: (id) => pay(`payment cancel ${id}`),
    fromVerify: 'verify apply → payment explain',
    fromApply: 'apply → payment explain',
  },
  'a cancellation has not been applied': {
    token: 'tok_visa',
    operation: 'cancel',
    csv: (id) => `paymentId\n${id}\n`,
    fromVerify: 'verify apply verify → done',
    fromApply: 'apply verify → done',
  },
  'a payment to cancel was captured': {
    token: 'tok_visa',
    operation: 'cancel',
    csv: (id) => `paymentId\n${id}\n`,
    before: (id) => pay(`payment capture ${id}`),
    fromVerify: 'verify apply → payment explain',
    fromApply: 'apply → payment explain',
  },
}

const later = (hours: number): void => {
  bench().clock.now = new Date(bench().clock.now.getTime() + hours * 3_600_000)
}

describe.each(Object.entries(SITUATIONS))('where %s', (_name, situation) => {
  const { token, before, fromVerify, fromApply, operation = 'refund' } = situation
  const { csv = (id) => `paymentId,amount\n${id},500\n` } = situation
  test.each([
    ['verify', VERIFY, fromVerify],
    ['apply', APPLY, fromApply],
  ])('%s leads out', async (_from, command, expected) => {
    const id = await payment('o-1', token === undefined ? {} : { token })
    if (token !== undefined && operation === 'refund') await pay(`payment capture ${id}`)
    await plan(operation, csv(id))
    await before?.(id)
    const { steps, end } = await follow(command)
    expect(`${steps.join(' ')} → ${end}`).toBe(expected)
  })
})
