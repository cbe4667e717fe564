import { useSignalEffect } from '@preact/signals'
import { PageFrame } from '../parts/page-frame.tsx'
import { Empty, Failure, FetchState } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { useSubmit } from '../parts/use-submit.ts'
import { announce } from '../parts/announcement.tsx'
import { groupThousands } from '../../../text/words.ts'
import { live } from '../../page/live.ts'
import { call, read } from '../../page/service.ts'
import { FaultForm } from './fault-form.tsx'
import type { Fault } from '../../../sandbox/faults/fault.ts'

const loadFaults = (signal: AbortSignal) => read<{ data: readonly Fault[] }>('/sandbox/faults', { signal })

export function FaultsPage() {
  const fetched = useFetched(loadFaults, [])
  const { data, reload } = fetched
  const clearing = useSubmit()
  // Reads count too, and change nothing else.
  useSignalEffect(() => {
    if (live.latest.value.length > 0) reload()
  })
  const clear = async () => {
    const { cleared } = await call<{ cleared: number }>('DELETE', '/sandbox/faults')
    announce(cleared === 1 ? 'One fault cleared.' : `${groupThousands(cleared)} faults cleared.`)
    reload()
  }
  return (
    <PageFrame title="Faults">
      <p class="quiet">
        A fault makes matching requests fail in the ways that networks and services do, for every client of
        this sandbox.
      </p>
      <FaultForm onAdded={reload} />
      <div class="section-header">
        <h2>Active faults</h2>
        <button
          type="button"
          disabled={clearing.isBusy || data?.data.length === 0}
          onClick={() => clearing.submit(clear)}
        >
          Clear faults
        </button>
      </div>
      {clearing.error === undefined ? null : <Failure error={clearing.error} />}
      <FetchState what="faults" of={fetched} />
      {data === undefined ? null : data.data.length === 0 ? (
        <Empty title="No faults: every request is answered normally." />
      ) : (
        <Table label="Faults" columns={COLUMNS} rows={data.data} keyOf={({ id }) => String(id)} />
      )}
    </PageFrame>
  )
}

const COLUMNS: readonly Column<Fault>[] = [
  { name: 'On', phone: 'left', cell: ({ on }) => <code>{on}</code> },
  { name: 'Do', cell: ({ do: effect }) => <code>{effect}</code> },
  { name: 'Matched', isFigure: true, cell: ({ matched }) => groupThousands(matched) },
  { name: 'Fired', isFigure: true, cell: ({ fired }) => groupThousands(fired) },
  { name: 'Rate', isFigure: true, cell: ({ rate }) => String(rate) },
  {
    name: 'Times',
    isFigure: true,
    cell: ({ times }) => (times === undefined ? 'always' : groupThousands(times)),
  },
  { name: 'Skip', isFigure: true, cell: ({ skip }) => groupThousands(skip) },
  { name: 'Seed', isFigure: true, cell: ({ seed }) => String(seed) },
]
