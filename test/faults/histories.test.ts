import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WRITES, runFaulty } from '../support/client-bench.ts'
import type { FaultyRun, Step } from '../support/client-bench.ts'
import { FAULTS } from '../support/faults.ts'
import type { Fault } from '../support/faults.ts'
import { scaledRuns } from '../support/test-effort.ts'

type Row = (typeof WRITES)[number]

/** An interruption: during which request, and before or after the service performs it. */
const signal = fc.option(
  fc.record({ index: fc.nat(4), moment: fc.constantFrom<'before' | 'after'>('before', 'after') }),
  { nil: undefined, freq: 3 },
)

const history = fc.record({
  names: fc.array(fc.constantFrom('none', ...Object.keys(FAULTS)), { maxLength: 10 }),
  decision: fc.constantFrom('approved' as const, 'declined' as const, 'gateway-timeout' as const),
  maxRetries: fc.nat(5),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  stop: signal,
  abandon: signal,
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

interface HistoryRun extends FaultyRun {
  /** The fault of each request, in order of sending. */
  readonly met: readonly (Fault | undefined)[]
  readonly decision: History['decision']
}

async function replay(
  row: Row,
  { names, decision, maxRetries, random, stop, abandon }: History,
): Promise<HistoryRun> {
  const interruption = { stop: new AbortController(), abandon: new AbortController() }
  const met: (Fault | undefined)[] = []
  const run = await runFaulty(row.id, {
    decision,
    maxRetries,
    random: () => random,
    interruption,
    faultOf: (_, index) => {
      met[index] = FAULTS[names[index] ?? 'none']
      return met[index]
    },
    during: (index, moment) => {
      if (stop?.index === index && stop.moment === moment) interruption.stop.abort('SIGINT')
      if (interruption.stop.signal.aborted && abandon?.index === index && abandon.moment === moment)
        interruption.abandon.abort('SIGINT')
    },
  })
  return { ...run, met, decision }
}

const forEachHistory = (row: Row, check: (run: HistoryRun) => void): Promise<void> =>
  fc.assert(
    fc.asyncProperty(history, async (drawn) => check(await replay(row, drawn))),
    // A fixed seed: at least one history must succeed.
    { numRuns: scaledRuns(30), seed: 5 },
  )

/** Exit codes that promise that nothing moved. */
const NOTHING_MOVED = [2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 130, 143]

describe.each(WRITES.map((row) => [row.id, row] as const))('%s under random faults', (_id, row) => {
  test('takes effect at most once, and its exit code is true', async () => {
    const seen = new Set<number>()
    await forEachHistory(row, ({ exitCode, effects, answer, decision }) => {
      seen.add(exitCode)
      expect(effects.length).toBeLessThanOrEqual(1)
      // Only the payment shows that a refund's transaction failed; if it could not be read, the warning says so.
      const isUnseen = row.id === 'payment.refund' && answer?.warning?.includes('could not be read back')
      if (exitCode === 0 && (isUnseen !== true || decision === 'approved')) expect(effects).toHaveLength(1)
      if (exitCode !== 0) expect(NOTHING_MOVED.includes(exitCode) ? effects : []).toEqual([])
      if (![0, 8, 10].includes(exitCode)) expect(NOTHING_MOVED).toContain(exitCode)
    })
    expect(seen.has(0)).toBe(true)
  })

  test('has the same bytes and the same key on every attempt', async () => {
    await forEachHistory(row, ({ writes }) => {
      const own = writes.filter(({ method }) => method === row.method)
      for (const request of own) expect(request).toEqual(own[0])
      if (row.idempotencyKey)
        for (const request of own) expect(request.headers['x-idempotency-key']).toBe('key-1')
    })
  })

  test('leaves doubt only by a complete 2xx, a 409 for its own key or a read that shows the effect', async () => {
    await forEachHistory(row, (run) => {
      if (isInDoubt(row, run)) expect([0, 8, 10, 13]).toContain(run.exitCode)
    })
  })

  test('is recorded before it is sent and before it is reported, and sends nothing new after a signal', async () => {
    await forEachHistory(row, ({ steps, exitCode }) => {
      const begins = steps.filter(({ kind }) => kind === 'begin')
      expect(begins.length).toBeLessThanOrEqual(1)
      expect(
        steps
          .slice(
            0,
            steps.findIndex(({ kind }) => kind === 'begin'),
          )
          .some(written),
      ).toBe(false)
      if (begins.length === 0) expect(steps.some(written)).toBe(false)
      else expect(steps.at(-1)).toMatchObject({ kind: 'settle', exitCode })
      const stopped = steps.findIndex(({ kind }) => kind === 'stop')
      if (stopped !== -1) expect(steps.slice(stopped).filter(({ kind }) => kind === 'send')).toEqual([])
    })
  })
})

const written = (step: Step): boolean => step.kind === 'send' && step.request.method !== 'GET'

/** Whether an attempt may have been performed. After a 500 on an adjustment, the read that follows settles it. */
function isInDoubt(row: Row, { sent, met }: HistoryRun): boolean {
  return met.some(
    (fault, index) =>
      sent[index]?.method === row.method &&
      (fault?.kind === 'lost' || (fault?.kind === 'failed' && row.replay !== 'compare')),
  )
}
