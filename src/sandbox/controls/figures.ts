import { factOfRecord } from '../../insights/facts.ts'
import { InsightsTally } from '../../insights/insights.ts'
import type { Insights, InsightsQuery } from '../../insights/insights.ts'
import { showRow } from '../answers/record-view.ts'
import { toServiceDate } from '../domain/datetime.ts'
import type { RecordPlace, RecordSource } from '../domain/store/record-store.ts'
import type { Read } from './read.ts'

/** Few enough that a request waits only milliseconds for one slice. */
const SLICE = 250
const SOURCES: readonly RecordSource[] = ['payments', 'external']

/** The figures of `pay insights` over all records. Reads them in slices, with time for other requests in between. */
export async function computeInsights(read: Read, query: InsightsQuery): Promise<Insights> {
  const tally = new InsightsTally(query)
  const { from, to } = query
  const period = {
    fromDate: from === undefined ? undefined : toServiceDate(from),
    toDate: to === undefined ? undefined : toServiceDate(to),
  }
  for (const source of SOURCES) {
    let after: RecordPlace | undefined
    do {
      const rows = await read(({ records }) => records.slice(source, period, after, SLICE))
      for (const row of rows) tally.add(factOfRecord(showRow(row)))
      after = rows.length === SLICE ? rows.at(-1)?.place : undefined
    } while (after !== undefined)
  }
  return tally.result()
}
