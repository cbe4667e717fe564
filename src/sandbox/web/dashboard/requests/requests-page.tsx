import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function RequestsPage() {
  return (
    <PageFrame title="Requests">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
