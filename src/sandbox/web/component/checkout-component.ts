/** The component for a merchant's own page: puts the checkout into an iframe. */
const PayCheckout = { mount: () => ({ unmount: () => undefined }) }

Object.assign(globalThis, { PayCheckout })
