import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  /** Escape, or the browser's Back. */
  readonly onClose: () => void
  /** While it is busy, Escape does nothing. */
  readonly isBusy?: boolean
  readonly children: ComponentChildren
}

/** A modal dialog. Returns the focus to where it was, or to the page's heading if that is gone. */
export function Dialog({ title, onClose, isBusy = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      // After the page is drawn without the dialog: the opener may be gone too.
      queueMicrotask(() => {
        const back = opener?.isConnected === true ? opener : document.querySelector('h1')
        if (back instanceof HTMLElement) back.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      aria-busy={isBusy}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The browser would close it a second time, without asking.
        event.preventDefault()
        event.stopPropagation()
        if (!isBusy) onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (!isBusy) onClose()
      }}
      onClose={() => {
        // Browsers don't let a page refuse twice; a request on its way still needs its dialog.
        if (isBusy) ref.current?.showModal()
        else onClose()
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
