import { PageFrame } from '../parts/page-frame.tsx'
import { Empty } from '../parts/states.tsx'

export function PaymentPage({ id }: { readonly id: string }) {
  return (
    <PageFrame title={id}>
      <Empty title="Nothing here yet." />
    </PageFrame>
  )
}
