import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  /** Back, Escape, or the browser's own way to close it. */
  readonly onClose: () => void
  /** While it is busy, it stays open. */
  readonly isBusy?: boolean
  /** The button that does what the dialog is for. Enter in a field doesn't press it. */
  readonly confirm?: { readonly label: string; readonly act: () => void }
  /** Other buttons. */
  readonly buttons?: ComponentChildren
  readonly children: ComponentChildren
}

/** A modal dialog. Returns the focus to where it was, or to the page's heading if that is gone. */
export function Dialog({ title, onClose, isBusy = false, confirm, buttons, children }: DialogProps) {
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
  const close = () => {
    if (!isBusy) onClose()
  }
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
        close()
      }}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={() => {
        // Browsers don't let a page refuse twice; a request on its way still needs its dialog.
        if (isBusy) ref.current?.showModal()
        else onClose()
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
      <div class="buttons">
        {buttons}
        <button type="button" aria-disabled={isBusy} onClick={close}>
          Back
        </button>
        {confirm === undefined ? null : (
          // Not `disabled`: the focus would leave the dialog.
          <button
            type="button"
            class="primary"
            aria-disabled={isBusy}
            onClick={() => {
              if (!isBusy) confirm.act()
            }}
          >
            {confirm.label}
          </button>
        )}
      </div>
    </dialog>
  )
}
