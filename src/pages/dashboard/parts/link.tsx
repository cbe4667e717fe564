import type { ComponentChildren } from 'preact'
import { navigate } from './router.ts'

interface LinkProps {
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly isCurrent?: boolean
  /** In place of going there. */
  readonly open?: () => void
}

/** A link within the dashboard that loads no page. With a modifier key, the browser opens it as usual. */
export function Link({ to, children, class: className, isCurrent = false, open }: LinkProps) {
  return (
    <a
      href={to}
      class={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        if (open === undefined) navigate(to)
        else open()
      }}
    >
      {children}
    </a>
  )
}

export const paymentAddress = (id: string): string => `/dashboard/payments/${encodeURIComponent(id)}`
