import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageFrameProps {
  readonly title: string
  /** Shown next to the heading. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page: its heading, which gets the focus after navigation, and its content. */
export function PageFrame({ title, actions, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · pay sandbox`
  }, [title])
  return (
    <>
      <header class="page-header">
        <h1 tabIndex={-1}>{title}</h1>
        {actions}
      </header>
      {children}
    </>
  )
}
