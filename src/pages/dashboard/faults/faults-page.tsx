import { useSignalEffect, useSignal } from '@preact/signals'
import { PageFrame } from '../parts/page-frame.tsx'
import { Empty, Failure, FetchState } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { useSubmit, problemAt, Form } from '../parts/form.tsx'
import { announce } from '../parts/announcement.tsx'
import { groupThousands } from '../../../text/words.ts'
import { live } from '../../page/live.ts'
import { call, read } from '../../page/service.ts'
import type { Fault } from '../../../sandbox/faults/fault.ts'
import { TextField } from '../parts/fields.tsx'

const loadFaults = (signal: AbortSignal) => read<{ data: readonly Fault[] }>('/sandbox/faults', { signal })

export function FaultsPage() {
  const fetched = useFetched(loadFaults, [])
  const { data, reload } = fetched
  const clearing = useSubmit()
  const faults = data?.data ?? []
  const [active, spent] = [faults.filter((one) => !isSpent(one)), faults.filter(isSpent)]
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
        <>
          {active.length === 0 ? (
            <p class="quiet">None: every request is answered normally.</p>
          ) : (
            <Table label="Faults" columns={COLUMNS} rows={active} keyOf={({ id }) => String(id)} />
          )}
          {spent.length === 0 ? null : (
            <>
              <h2>Spent faults</h2>
              <Table label="Spent faults" columns={COLUMNS} rows={spent} keyOf={({ id }) => String(id)} />
            </>
          )}
        </>
      )}
    </PageFrame>
  )
}

/** Whether it has met as many requests as it should. */
const isSpent = ({ times, fired }: Fault): boolean => times !== undefined && fired >= times

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

const NOTHING = { on: '', do: '', rate: '1', times: '', skip: '' } as const
type Draft = Readonly<Record<keyof typeof NOTHING, string>>

const FIELDS = ['$.on', '$.do', '$.rate', '$.times', '$.skip'] as const

function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
  const draft = useSignal<Draft>(NOTHING)
  const submitting = useSubmit()
  const add = async () => {
    const fault = await call<Fault>('POST', '/sandbox/faults', bodyOf(draft.value))
    announce(`Fault added: ${fault.do} on ${fault.on}.`)
    draft.value = NOTHING
    onAdded()
  }
  const change = (changes: Partial<Draft>) => (draft.value = { ...draft.value, ...changes })
  const chosen = EFFECTS.find(({ effect }) => kindOf(effect) === kindOf(draft.value.do))
  const field = (name: keyof Draft) => ({
    value: draft.value[name],
    onChange: (value: string) => change({ [name]: value }),
    problem: problemAt(submitting.error, `$.${name}`),
  })
  return (
    <Form submitting={submitting} act={add} button="Add fault" fields={FIELDS}>
      <TextField
        label="On"
        {...field('on')}
        hint={
          <>
            Method and path. <code>*</code> matches within a part, <code>**</code> anything.
          </>
        }
        isRequired
      />
      <Offers label="Requests" values={REQUESTS} chosen={draft.value.on} onChoose={(on) => change({ on })} />
      <TextField
        label="Do"
        {...field('do')}
        hint={chosen === undefined ? 'Choose what happens.' : describe(chosen)}
        isRequired
      />
      <Offers
        label="Kinds"
        values={EFFECTS.map(({ effect }) => effect)}
        chosen={chosen?.effect}
        onChoose={(effect) => change({ do: effect })}
      />
      <div class="row">
        <TextField label="Rate" {...field('rate')} hint="Share of the requests, above 0 and up to 1." />
        <TextField label="Times" {...field('times')} hint="How many requests to hit; all if empty." />
        <TextField label="Skip" {...field('skip')} hint="How many to let through first." />
      </div>
    </Form>
  )
}

interface OffersProps {
  readonly label: string
  readonly values: readonly string[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string) => void
}

/** Values that a click writes into the field above. */
const Offers = ({ label, values, chosen, onChoose }: OffersProps) => (
  <div class="offers" role="group" aria-label={label}>
    {values.map((value) => (
      <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
        {value}
      </button>
    ))}
  </div>
)

/** Reads a number. Anything else stays text, so that the sandbox says what is wrong with it. */
const numberIn = (text: string): number | string | undefined => {
  const given = text.trim()
  if (given === '') return undefined
  return /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : given
}

const bodyOf = ({ on, do: effect, rate, times, skip }: Draft) => ({
  on: on.trim(),
  do: effect.trim(),
  rate: numberIn(rate),
  times: numberIn(times),
  skip: numberIn(skip),
})

interface Effect {
  /** What to write under Do. */
  readonly effect: string
  readonly what: string
  readonly isApplied: boolean
}

const REQUESTS = ['POST /payments', 'POST /payments/*/capture', 'POST /payments/*/refund', 'GET /payments/*']

const kindOf = (effect: string): string => effect.trim().replace(/=.*$/s, '')

const describe = ({ what, isApplied }: Effect): string =>
  `${what} ${isApplied ? 'The request is applied.' : 'Nothing is applied.'}`

/** Every kind of fault, with values as examples. */
const EFFECTS: readonly Effect[] = [
  { effect: 'refuse', what: 'The connection is refused.', isApplied: false },
  { effect: 'hang', what: 'No response ever comes.', isApplied: false },
  { effect: 'drop-before', what: 'The connection is cut instead of a response.', isApplied: false },
  { effect: 'status=503', what: 'The response has this status, from 300 to 599.', isApplied: false },
  { effect: '429=30', what: 'The response is a 429 with Retry-After.', isApplied: false },
  { effect: 'drop-after', what: 'The connection is cut instead of a response.', isApplied: true },
  { effect: 'delay=2s', what: 'The response is late.', isApplied: true },
  { effect: 'truncate', what: 'The connection is cut in the middle of the response.', isApplied: true },
  { effect: 'malformed', what: 'The response is complete but not JSON.', isApplied: true },
  { effect: 'html', what: "A proxy's page replaces the response (502).", isApplied: true },
  { effect: 'partial', what: 'The response has nothing but its IDs.', isApplied: true },
]
