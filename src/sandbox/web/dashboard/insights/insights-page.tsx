import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function InsightsPage() {
  return (
    <PageFrame title="Insights">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
