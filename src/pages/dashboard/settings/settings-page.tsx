import { read, call } from '../../page/service.ts'
import { PageFrame } from '../parts/page-frame.tsx'
import { FetchState } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import type { Scenarios } from '../../../sandbox/domain/scenarios/scenarios.ts'
import type { Settings, CheckoutMethod, MethodDraft, SettingsDraft } from './settings-draft.ts'
import { useSignal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { stringifyJson } from '../../../json/json.ts'
import type { ServiceError } from '../../page/send.ts'
import { announce } from '../parts/announcement.tsx'
import { CheckBox, ComboBox, TextField } from '../parts/fields.tsx'
import { Form, problemAt, useSubmit } from '../parts/form.tsx'
import { draftOf, pathOf, settingsOf } from './settings-draft.ts'

async function load(signal: AbortSignal) {
  const [settings, { checkoutMethods }] = await Promise.all([
    read<Settings>('/sandbox/settings', { signal }),
    read<Scenarios>('/sandbox/scenarios', { signal }),
  ])
  return { settings, methods: checkoutMethods }
}

export function SettingsPage() {
  const fetched = useFetched(load, [])
  const { data, reload } = fetched
  return (
    <PageFrame title="Settings">
      <p class="quiet">
        They apply to payments that a checkout makes with its client token. Payments with an API key stay as
        they are.
      </p>
      <FetchState what="settings" of={fetched} />
      {data === undefined ? null : (
        <SettingsForm settings={data.settings} methods={data.methods} reload={reload} />
      )}
    </PageFrame>
  )
}

interface SettingsFormProps {
  readonly settings: Settings
  readonly methods: readonly CheckoutMethod[]
  readonly reload: () => void
}

const THREE_D_SECURE = [
  { value: 'auto', label: 'Auto: the test card decides' },
  { value: 'always', label: 'Always: every card gets a challenge' },
  { value: 'never', label: 'Never: no challenge' },
] as const
const AUTHORIZATION_TYPES = [
  { value: 'FINAL', label: 'Final' },
  { value: 'ESTIMATED', label: 'Estimated: the amount can be adjusted' },
] as const

function SettingsForm({ settings, methods, reload }: SettingsFormProps) {
  const draft = useSignal(draftOf(settings, methods))
  const isSaved = useSignal(false)
  useStored(settings, methods, draft)
  const submitting = useSubmit()
  const save = async () => {
    const saved = await call<Settings>('PUT', '/sandbox/settings', settingsOf(draft.value))
    draft.value = draftOf(saved, methods)
    isSaved.value = true
    announce('Settings saved.')
    reload()
  }
  const change = (changes: Partial<SettingsDraft>) => {
    isSaved.value = false
    draft.value = { ...draft.value, ...changes }
  }
  return (
    <Form
      class="settings"
      submitting={submitting}
      act={save}
      button="Save"
      fields={draft.value.methods.flatMap(({ type }) =>
        ['currencies', 'countries'].map((field) => `${pathOf(draft.value, type)}.${field}`),
      )}
      outcome={isSaved.value ? <span class="good">✓ Saved</span> : null}
    >
      <div class="row">
        <ComboBox
          label="3D Secure"
          value={draft.value.threeDSecure}
          choices={THREE_D_SECURE}
          onChange={(threeDSecure) => change({ threeDSecure })}
        />
        <ComboBox
          label="Authorization type"
          value={draft.value.authorizationType}
          choices={AUTHORIZATION_TYPES}
          onChange={(authorizationType) => change({ authorizationType })}
        />
      </div>
      <CheckBox
        label="Show surcharges"
        isChecked={draft.value.showSurcharges}
        onChange={(showSurcharges) => change({ showSurcharges })}
      />
      <p class="hint">Surcharges are charged either way. A session may name its own authorization type.</p>
      <h2>Methods that the checkout offers</h2>
      <p class="hint">Codes such as EUR, USD or DE, NL. Without any, a method is offered everywhere.</p>
      {draft.value.methods.map((method) => (
        <MethodFields
          key={method.type}
          method={method}
          error={submitting.error}
          path={pathOf(draft.value, method.type)}
          onChange={(changed) =>
            change({
              methods: draft.value.methods.map((other) => (other.type === changed.type ? changed : other)),
            })
          }
        />
      ))}
    </Form>
  )
}

/** Keeps the form at what is stored, unless it has changes that aren't saved. */
function useStored(
  settings: Settings,
  methods: readonly CheckoutMethod[],
  draft: Signal<SettingsDraft>,
): void {
  const stored = useRef(settings)
  useLayoutEffect(() => {
    const before = draftOf(stored.current, methods)
    stored.current = settings
    if (stringifyJson(draft.peek()) === stringifyJson(before)) draft.value = draftOf(settings, methods)
  }, [settings])
}

interface MethodFieldsProps {
  readonly method: MethodDraft
  readonly error: ServiceError | undefined
  readonly path: string
  readonly onChange: (method: MethodDraft) => void
}

function MethodFields({ method, error, path, onChange }: MethodFieldsProps) {
  return (
    <fieldset class="method">
      <legend>
        <CheckBox
          label={method.name}
          isChecked={method.isOffered}
          onChange={(isOffered) => onChange({ ...method, isOffered })}
        />
      </legend>
      <div class="row">
        <TextField
          label="Currencies"
          value={method.currencies}
          onChange={(currencies) => onChange({ ...method, currencies })}
          placeholder="everywhere"
          problem={problemAt(error, `${path}.currencies`)}
          isDisabled={!method.isOffered}
        />
        <TextField
          label="Countries"
          value={method.countries}
          onChange={(countries) => onChange({ ...method, countries })}
          placeholder="everywhere"
          problem={problemAt(error, `${path}.countries`)}
          isDisabled={!method.isOffered}
        />
      </div>
    </fieldset>
  )
}
