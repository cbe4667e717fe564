import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Link } from './router.tsx'
import { Empty } from './states.tsx'

interface PageFrameProps {
  readonly title: string
  /** The content of the heading, where it is more than the title. */
  readonly heading?: ComponentChildren
  /** Shown below the heading. */
  readonly below?: ComponentChildren
  /** Shown next to the heading. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page: its heading, which gets the focus after navigation, and its content. */
export function PageFrame({ title, heading, below, actions, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · pay sandbox`
  }, [title])
  return (
    <>
      <header class="page-header">
        <div class="title">
          <h1 tabIndex={-1}>{heading ?? title}</h1>
          {below}
        </div>
        {actions}
      </header>
      {children}
    </>
  )
}

/** The page of an address that leads to nothing. */
export const NothingThere = ({ title, why }: { readonly title: string; readonly why: string }) => (
  <PageFrame title={title}>
    <Empty title={why}>
      <p>
        <Link to="/dashboard/payments">Show all payments</Link>
      </p>
    </Empty>
  </PageFrame>
)
