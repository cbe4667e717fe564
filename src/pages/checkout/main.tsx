import { signal } from '@preact/signals'
import { newIdempotencyKey } from '../page/send.ts'
import { mountPage } from '../page/mount.tsx'
import { createCheckout } from './payment/checkout.ts'
import { badLink } from './payment/load.ts'
import { createPause } from './payment/pause.ts'
import type { Result } from './payment/phase.ts'
import { CheckoutPage } from './view/checkout-page.tsx'
import { UnusableNotice } from './view/status.tsx'
import { READY, readStart } from '../page/checkout-messages.ts'
import type { FromCheckout } from '../page/checkout-messages.ts'
import { createClient } from './service/client.ts'

/** A client token has three parts in base64url. */
const CLIENT_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

if (window.parent === window) {
  openCheckout(location.hash.slice(1), undefined)
  // The fragment is all that differs between two links, so the browser wouldn't load the page again.
  addEventListener('hashchange', () => location.reload())
} else {
  document.documentElement.classList.add('framed')
  void joinFrame(window).then((frame) => openCheckout(frame.clientToken, frame))
}

function openCheckout(clientToken: string, frame: Frame | undefined): void {
  const tell: Frame['tell'] = (message) => frame?.tell(message)
  const content = document.getElementById('page')
  if (frame !== undefined && content !== null) reportHeight(content, tell)
  const onUnusable = (reason: string) => tell({ kind: 'fail', paymentId: null, status: null, reason })
  if (!CLIENT_TOKEN.test(clientToken)) {
    const problem = badLink(clientToken)
    mountPage(
      <div class="checkout">
        <h1>Checkout</h1>
        <UnusableNotice problem={problem} onRetry={() => location.reload()} />
      </div>,
    )
    onUnusable(problem.errorId ?? '')
    return
  }
  const pause = createPause()
  const client = createClient(clientToken)
  const checkout = createCheckout({
    client,
    pause,
    newKey: () => newIdempotencyKey('checkout'),
    onEnded: (result) => tell(messageOf(result)),
    onUnusable,
  })
  const isOnline = signal(navigator.onLine)
  const noteConnection = () => {
    isOnline.value = navigator.onLine
    if (navigator.onLine) pause.endAll()
  }
  addEventListener('online', noteConnection)
  addEventListener('offline', noteConnection)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) pause.endAll()
  })
  mountPage(
    <CheckoutPage
      checkout={checkout}
      isOnline={isOnline}
      today={() => new Date()}
      onCancel={frame === undefined ? undefined : () => frame.tell({ kind: 'cancel' })}
    />,
  )
  void checkout.load()
}

function messageOf({ outcome, payment, reason }: Result): Parameters<Frame['tell']>[0] {
  const status = payment?.status ?? null
  if (outcome === 'successful' && payment !== undefined)
    return { kind: 'complete', paymentId: payment.id, status: status ?? '' }
  return { kind: 'fail', paymentId: payment?.id ?? null, status, reason: reason ?? null }
}

/** The merchant's page around this one. */
interface Frame {
  readonly clientToken: string
  tell(message: FromCheckout): void
}

/**
 * Asks the merchant's page for the client token. Only the window around this one is heard, and only once: nothing that it
 * sends later can exchange the session. Which pages may be around is up to the sandbox's Content-Security-Policy.
 */
function joinFrame(window: Window): Promise<Frame> {
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

/** Whether a page of this origin is around the window. Firefox lacks `ancestorOrigins`; the message's source suffices there. */
function isAround({ location }: Window, origin: string): boolean {
  const { ancestorOrigins } = location
  return ancestorOrigins === undefined || ancestorOrigins[0] === origin
}

/** Reports the height of the page's content whenever it changes. */
function reportHeight(content: Element, tell: Frame['tell']): void {
  new ResizeObserver(() => {
    tell({ kind: 'height', heightPx: Math.ceil(content.getBoundingClientRect().height) })
  }).observe(content)
}
