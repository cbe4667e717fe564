import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function MethodsPage() {
  return (
    <PageFrame title="Saved methods">
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
