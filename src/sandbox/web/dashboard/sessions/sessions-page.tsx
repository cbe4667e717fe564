import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function SessionsPage() {
  return (
    <PageFrame title="Sessions">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
