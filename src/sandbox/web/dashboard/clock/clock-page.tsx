import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function ClockPage() {
  return (
    <PageFrame title="Clock">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
