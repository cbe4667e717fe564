import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The heading of a step. It takes the focus as soon as it is there, so that keyboards and screen readers continue there. */
export function FocusedHeading({
  id,
  children,
}: {
  readonly id: string
  readonly children: ComponentChildren
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  )
}
