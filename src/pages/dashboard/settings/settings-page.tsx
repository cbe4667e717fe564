import { read } from '../../page/service.ts'
import { PageFrame } from '../parts/page-frame.tsx'
import { FetchState } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import type { Scenarios } from '../../../sandbox/domain/scenarios/scenarios.ts'
import type { Settings } from './settings-draft.ts'
import { SettingsForm } from './settings-form.tsx'

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
