import { READY, readStart } from '../page/checkout-messages.ts'
import type { FromCheckout } from '../page/checkout-messages.ts'

/** The merchant's page around this one. */
export interface Frame {
  readonly clientToken: string
  tell(message: FromCheckout): void
}

/**
 * Asks the merchant's page for the client token. Only the window around this one is heard, and only once: nothing that it
 * sends later can exchange the session. Which pages may be around is up to the sandbox's Content-Security-Policy.
 */
export function joinFrame(window: Window): Promise<Frame> {
  return new Promise((resolve) => {
    const listen = (event: MessageEvent<unknown>) => {
      const clientToken = readStart(event.data)
      const [port] = event.ports
      if (event.source !== window.parent || !isAround(window, event.origin)) return
      if (clientToken === undefined || port === undefined) return
      window.removeEventListener('message', listen)
      resolve({ clientToken, tell: (message) => port.postMessage(message) })
    }
    window.addEventListener('message', listen)
    // To any origin: this window doesn't know its parent's yet, and the message holds nothing.
    window.parent.postMessage({ type: READY }, '*')
  })
}

/** Firefox lacks `ancestorOrigins`; the message's source suffices there. */
function isAround({ location }: Window, origin: string): boolean {
  const { ancestorOrigins } = location
  return ancestorOrigins === undefined || ancestorOrigins[0] === origin
}

/** Reports the height of the page's content whenever it changes. */
export function reportHeight(content: Element, tell: Frame['tell']): void {
  new ResizeObserver(() => {
    tell({ kind: 'height', heightPx: Math.ceil(content.getBoundingClientRect().height) })
  }).observe(content)
}
