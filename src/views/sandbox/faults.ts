import { renderTable } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'

/** A sandbox fault with its counters. */
export interface ShownFault {
  readonly id: number
  readonly on: string
  readonly do: string
  readonly rate: number
  readonly seed: number
  readonly times?: number | undefined
  readonly skip: number
  readonly matched: number
  readonly fired: number
}

const CSV_COLUMNS = ['id', 'on', 'do', 'rate', 'seed', 'times', 'skip', 'matched', 'fired'] as const

export const faultView: View<ShownFault> = {
  ids: ({ id }) => [String(id)],
  csvColumns: CSV_COLUMNS,
  render: (fault, options) => tableOf([fault], options),
}

export const faultListView: View<readonly ShownFault[]> = {
  ids: (faults) => faults.map(({ id }) => String(id)),
  csvColumns: CSV_COLUMNS,
  render: (faults, options) =>
    faults.length === 0 ? 'No faults: the sandbox works normally.' : tableOf(faults, options),
}

const tableOf = (faults: readonly ShownFault[], options: RenderOptions): string =>
  renderTable(
    [
      { title: 'ID', text: ({ id }) => String(id) },
      { title: 'ON', text: ({ on }) => on, tone: () => 'strong' },
      { title: 'DO', text: (fault) => fault.do, tone: () => 'bad' },
      { title: 'WHICH', text: whichOf, drop: 1 },
      { title: 'MET', text: ({ fired, matched }) => `${fired} of ${matched}`, align: 'right' },
    ],
    faults,
    options,
  )

/** Which matching requests meet the fault; empty if all do. */
function whichOf({ rate, seed, times, skip }: ShownFault): string {
  return [
    ...(rate < 1 ? [`rate ${rate}, seed ${seed}`] : []),
    ...(skip > 0 ? [`after ${skip}`] : []),
    ...(times === undefined ? [] : [`at most ${times}`]),
  ].join(', ')
}
