import { signal } from '@preact/signals'
import { newIdempotencyKey } from '../page/idempotency-key.ts'
import { mountPage } from '../page/mount.tsx'
import { joinFrame, reportHeight } from './frame.ts'
import type { Frame } from './frame.ts'
import { createCheckout } from './payment/checkout.ts'
import { badLink } from './payment/load.ts'
import { createPause } from './payment/pause.ts'
import type { Result } from './payment/phase.ts'
import { createClient } from './service/client.ts'
import { CheckoutPage } from './view/checkout-page.tsx'
import { UnusableNotice } from './view/unusable-notice.tsx'

/** Three parts of base64url. */
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
