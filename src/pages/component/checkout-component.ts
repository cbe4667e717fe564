import { mountCheckout } from './mount-checkout.ts'
import type { Mounted } from './mount-checkout.ts'

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
