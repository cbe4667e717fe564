/** Codes of the API whose words aren't simply their letters. */
const WORDS: Readonly<Record<string, string>> = {
  PAYMENT_CARD: 'Card',
  PAYPAL: 'PayPal',
  APPLE_PAY: 'Apple Pay',
  GOOGLE_PAY: 'Google Pay',
  IDEAL: 'iDEAL',
  AMEX: 'American Express',
  UNIONPAY: 'UnionPay',
  JCB: 'JCB',
  ECOMMERCE: 'Online purchase',
  MOTO: 'Mail or telephone order',
  AUTH_SUCCESS: 'Authenticated',
  AUTH_FAILED: 'Not authenticated',
  '3DS_AUTHENTICATION': '3-D Secure challenge',
  PROCESSOR_3DS: '3-D Secure at the processor',
}

/** `INSUFFICIENT_FUNDS` is `Insufficient funds`. Text that isn't a code stays as it is. */
export function wordsOf(code: string): string {
  if (Object.hasOwn(WORDS, code)) return WORDS[code] ?? code
  if (!/^[A-Z][A-Z\d_]+$/.test(code)) return code
  return `${code.slice(0, 1)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}`
}

/** `VISA •••• 1111` is `Visa •••• 1111`. */
export const firstInWords = (text: string): string => text.replace(/^[A-Z\d_]+/, wordsOf)

/** `SANDBOX_ALPHA` is `Sandbox Alpha`; a name without an underscore is the merchant's own. */
export const processorName = (name: string): string =>
  /^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(name)
    ? name
        .split('_')
        .map((word) => `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`)
        .join(' ')
    : name
