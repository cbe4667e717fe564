import { factOfRecord } from '../../views/insights/facts.ts'
import type { PaymentFact } from '../../views/insights/facts.ts'
import { InsightsTally } from '../../views/insights/insights.ts'
import type { Insights, InsightsQuery } from '../../views/insights/insights.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { RecordPosition, RecordRow } from '../domain/records.ts'
import type { Store } from '../database/store.ts'

/** Reads in a transaction of its own. */
type Read = <T>(work: (store: Store, now: Date) => T) => Promise<T>

const FIRST: RecordPosition = { direction: 'newer', place: { time: '', seq: 0 } }
/** How long the first query waits for others: a page asks for several figures at the same time. */
const GATHERING_MS = 10

/**
 * Computes the figures of `pay insights` over all records. Reads them in slices, with time for other requests in between,
 * and once for all queries that arrive together; those that arrive during a pass share the next one.
 */
export function insightsOver(read: Read): (query: InsightsQuery) => Promise<Insights> {
  let next: { readonly queries: InsightsQuery[]; readonly results: Promise<readonly Insights[]> } | undefined
  let running: Promise<unknown> = Promise.resolve()

  function startPass() {
    const queries: InsightsQuery[] = []
    const pass = async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, GATHERING_MS)
      })
      next = undefined
      return computeAll(read, queries)
    }
    const results = running.then(pass, pass)
    running = results
    return { queries, results }
  }

  return async (query) => {
    next ??= startPass()
    const place = next.queries.push(query) - 1
    const result = (await next.results)[place]
    if (result === undefined) throw new Error('A pass over the records left out a query')
    return result
  }
}

async function computeAll(read: Read, queries: readonly InsightsQuery[]): Promise<readonly Insights[]> {
  const tallies = queries.map((query) => new InsightsTally(query))
  const period = unionOf(queries)
  const apart = {
    by: [...new Set(queries.map(({ by }) => by))],
    edges: [...new Set(queries.flatMap(edgesOf))],
  }
  let after: RecordPosition = FIRST
  for (;;) {
    const position = after
    const groups = await read(({ records }) => records.groups(period, position, apart))
    for (const group of groups) {
      const fact = factOf(group)
      for (const tally of tallies) tally.add(fact, group.count)
    }
    const place = groups.at(-1)
    if (place === undefined) break
    after = { direction: 'newer', place }
  }
  return tallies.map((tally) => tally.result())
}

/** The edges of a query's period, as stored dates: the first one within it, and the first one after it. */
const edgesOf = ({ from, to }: InsightsQuery): readonly string[] =>
  [from, to === undefined ? undefined : new Date(to.getTime() + 1)].filter(isTime).map(toServiceDate)

const factOf = (row: RecordRow): PaymentFact =>
  factOfRecord({
    source: row.source,
    createdAt: `${row.time}Z`,
    status: row.status,
    statusReason: { code: row.reason },
    currencyCode: row.currencyCode,
    amount: row.amount,
    amountAuthorized: row.amountAuthorized,
    amountCaptured: row.amountCaptured,
    amountRefunded: row.amountRefunded,
    processor: { name: row.processor },
    paymentMethod: { paymentMethodType: row.method },
    order: { countryCode: row.countryCode },
  })

/** The shortest period that contains every one of them. */
function unionOf(queries: readonly InsightsQuery[]): {
  readonly fromDate?: string
  readonly toDate?: string
} {
  const [starts, ends] = [queries.map(({ from }) => from), queries.map(({ to }) => to)]
  return {
    ...(starts.every(isTime) ? { fromDate: edgeOf(starts, Math.min) } : {}),
    ...(ends.every(isTime) ? { toDate: edgeOf(ends, Math.max) } : {}),
  }
}

const isTime = (time: Date | undefined): time is Date => time !== undefined

const edgeOf = (times: readonly Date[], choose: (...values: readonly number[]) => number): string =>
  toServiceDate(new Date(choose(...times.map((time) => time.getTime()))))
