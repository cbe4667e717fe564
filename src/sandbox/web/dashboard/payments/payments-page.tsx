import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function PaymentsPage() {
  return (
    <PageFrame title="Payments">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
