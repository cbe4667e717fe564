import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function SettingsPage() {
  return (
    <PageFrame title="Settings">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
