import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatAmount, formatTime } from '../../page/format.ts'
import { call, read } from '../../page/service.ts'
import type { VirtualTime } from '../../../sandbox/controls/responses.ts'
import type { UpcomingEvent } from '../../../sandbox/domain/payment/upcoming-events.ts'
import { announce } from '../parts/announcement.tsx'
import { TextField } from '../parts/fields.tsx'
import { Form, problemAt, useSubmit } from '../parts/form.tsx'
import { Link, paymentAddress } from '../parts/router.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { Empty, FetchState } from '../parts/states.tsx'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { formatSpan } from './format-span.ts'

interface ClockState {
  readonly time: VirtualTime
  readonly events: readonly UpcomingEvent[]
  /** When the page received it, in milliseconds of the page's clock. */
  readonly receivedAtMs: number
}

async function loadClock(signal: AbortSignal): Promise<ClockState> {
  const [time, { data }] = await Promise.all([
    read<VirtualTime>('/sandbox/clock', { signal }),
    read<{ data: readonly UpcomingEvent[] }>('/sandbox/clock/upcoming', { signal }),
  ])
  return { time, events: data, receivedAtMs: performance.now() }
}

export function ClockPage() {
  const fetched = useFetched(loadClock, [])
  const { data, reload } = fetched
  return (
    <PageFrame title="Clock">
      <FetchState what="the clock" of={fetched} />
      {data === undefined ? null : (
        <>
          <CurrentTime state={data} />
          <AdvanceForm reload={reload} />
          <h2>Upcoming changes</h2>
          <Upcoming state={data} />
        </>
      )}
    </PageFrame>
  )
}

const SECOND_MS = 1000

/** The sandbox's time, which advances while the page is open. */
function useVirtualNow({ time, receivedAtMs }: ClockState): number {
  const elapsedMs = useSignal(0)
  useEffect(() => {
    const tick = () => (elapsedMs.value = Math.max(0, performance.now() - receivedAtMs))
    tick()
    const timer = setInterval(tick, SECOND_MS)
    return () => clearInterval(timer)
  }, [receivedAtMs])
  return Date.parse(time.now) + elapsedMs.value
}

function CurrentTime({ state }: { readonly state: ClockState }) {
  const now = new Date(useVirtualNow(state)).toISOString()
  const { offsetMs } = state.time
  return (
    <p class="clock">
      <time dateTime={now}>{formatTime(now)}</time>
      <span class="quiet">
        {offsetMs === 0
          ? "the same as this machine's clock"
          : `${formatSpan(offsetMs)} ahead of this machine's clock`}
      </span>
    </p>
  )
}

function AdvanceForm({ reload }: { readonly reload: () => void }) {
  const duration = useSignal('')
  const submitting = useSubmit()
  const advance = async () => {
    const given = duration.value.trim()
    const { now } = await call<VirtualTime>('POST', '/sandbox/clock/advance', { duration: given })
    announce(`The clock moved forward ${given}, to ${formatTime(now)}.`)
    duration.value = ''
    reload()
  }
  return (
    <Form submitting={submitting} act={advance} button="Advance" fields={['$.duration']}>
      <div class="row">
        <TextField
          label="Duration"
          value={duration.value}
          onChange={(value) => (duration.value = value)}
          hint="Such as 90m, 2h or 1h30m. The clock never goes back; pay sandbox reset empties the sandbox and sets it to the current time."
          problem={problemAt(submitting.error, '$.duration')}
          isRequired
        />
      </div>
    </Form>
  )
}

function Upcoming({ state }: { readonly state: ClockState }) {
  const nowMs = useVirtualNow(state)
  if (state.events.length === 0)
    return (
      <Empty title="Nothing is due.">
        <p>
          Payments that are settling, refunds that are pending, and payments that wait for a third party
          appear here.
        </p>
      </Empty>
    )
  return (
    <Table
      label="What the clock will change"
      columns={columns(nowMs)}
      rows={state.events}
      keyOf={({ paymentId, what, dueAt, amount }) => `${paymentId} ${what} ${dueAt} ${amount}`}
    />
  )
}

const columns = (nowMs: number): readonly Column<UpcomingEvent>[] => [
  {
    name: 'Payment',
    phone: 'left',
    cell: ({ paymentId }) => <Link to={paymentAddress(paymentId)}>{paymentId}</Link>,
  },
  { name: 'What', cell: ({ what }) => (what === 'payment' ? 'Payment' : 'Refund') },
  {
    name: 'Change',
    cell: ({ from, to }) => (
      <span>
        <Status status={from} /> <span aria-hidden="true">→</span> <span class="unseen">becomes</span>{' '}
        <Status status={to} />
      </span>
    ),
  },
  {
    name: 'Amount',
    isFigure: true,
    cell: ({ amount, currencyCode }) => formatAmount(amount, currencyCode),
  },
  { name: 'Order', cell: ({ orderId }) => orderId },
  { name: 'In', isFigure: true, cell: ({ dueAt }) => formatSpan(Date.parse(dueAt) - nowMs) },
  { name: 'Due', cell: ({ dueAt }) => formatTime(dueAt) },
]
