import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function ScenariosPage() {
  return (
    <PageFrame title="Scenarios">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
