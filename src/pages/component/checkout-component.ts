import { READY, START } from '../page/checkout-messages.ts'
import type { FromCheckout } from '../page/checkout-messages.ts'
import { isRecord } from '../../json/is-record.ts'
import { readOptions } from './options.ts'
import type { MountOptions } from './options.ts'

/** The component for a merchant's own page: puts the sandbox's checkout into an iframe. */

// Known only while the script runs for the first time.
const script = document.currentScript

const PayCheckout = {
  /**
   * Shows the checkout in `element`.
   * @throws {TypeError} for an element or options that can't be used
   */
  mount: (element?: unknown, options?: unknown): Mounted => {
    if (!(script instanceof HTMLScriptElement) || script.src === '')
      throw new TypeError(
        'PayCheckout: load the component with <script src="…/checkout.js"></script>, without type="module"',
      )
    return mountCheckout(element, options, new URL(script.src).origin)
  },
}

Object.assign(globalThis, { PayCheckout })

interface Mounted {
  /** Removes the checkout. Calling it again does nothing. */
  unmount(): void
}

/** High enough for the first paint, so that little moves when the content has its height. */
const FIRST_HEIGHT_PX = 640

/**
 * Puts the checkout page of `origin` into `element`. The client token goes to that page by a message, never by its address.
 * @throws {TypeError} for an element or options that can't be used
 */
function mountCheckout(element: unknown, given: unknown, origin: string): Mounted {
  if (!(element instanceof Element))
    throw new TypeError(
      'PayCheckout.mount: the first argument must be an element of the page, such as document.getElementById("checkout")',
    )
  const options = readOptions(given)
  const frame = document.createElement('iframe')
  frame.src = `${origin}/checkout`
  frame.title = 'Checkout'
  frame.referrerPolicy = 'no-referrer'
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    border: '0',
    height: `${FIRST_HEIGHT_PX}px`,
    colorScheme: 'light dark',
  })

  let port: MessagePort | undefined
  const listen = (event: MessageEvent<unknown>) => {
    // Any window can send messages here.
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    if (!isRecord(event.data) || event.data['type'] !== READY) return
    port?.close()
    const channel = new MessageChannel()
    port = channel.port1
    // Only the checkout of the same sandbox has the other end.
    port.addEventListener('message', ({ data }: MessageEvent<FromCheckout>) => receive(data, frame, options))
    port.start()
    const start = { type: START, clientToken: options.clientToken }
    frame.contentWindow?.postMessage(start, origin, [channel.port2])
  }

  addEventListener('message', listen)
  element.append(frame)
  return {
    unmount: () => {
      removeEventListener('message', listen)
      port?.close()
      frame.remove()
    },
  }
}

function receive(message: FromCheckout, frame: HTMLIFrameElement, options: MountOptions): void {
  switch (message.kind) {
    case 'height':
      frame.style.height = `${message.heightPx}px`
      return
    case 'complete':
      return options.onComplete({ paymentId: message.paymentId, status: message.status })
    case 'fail': {
      const { paymentId, status, reason } = message
      return options.onFail({ paymentId, status, reason })
    }
    case 'cancel':
      return options.onCancel()
  }
}
