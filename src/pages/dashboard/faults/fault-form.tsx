import { useSignal } from '@preact/signals'
import type { Fault } from '../../../sandbox/faults/fault.ts'
import { call } from '../../page/service.ts'
import { announce } from '../parts/announcement.tsx'
import { TextField } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { problemAt, useSubmit } from '../parts/use-submit.ts'

const NOTHING = { on: '', do: '', rate: '1', times: '', skip: '' } as const
type Draft = Readonly<Record<keyof typeof NOTHING, string>>

const FIELDS = ['$.on', '$.do', '$.rate', '$.times', '$.skip'] as const

export function FaultForm({ onAdded }: { readonly onAdded: () => void }) {
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

/** What isn't a number stays text: the sandbox says what is wrong with it. */
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
