import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function FaultsPage() {
  return (
    <PageFrame title="Faults">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
