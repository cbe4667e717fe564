import type { Failure } from '../page/checkout-messages.ts'
import { isRecord } from '../../json/is-record.ts'
import { didYouMean } from '../../text/suggest.ts'

/** What a merchant's page gives to `PayCheckout.mount`. */
export interface MountOptions {
  readonly clientToken: string
  readonly onComplete: (result: { readonly paymentId: string; readonly status: string }) => void
  readonly onFail: (failure: Failure) => void
  readonly onCancel: () => void
}

const CALLBACKS = ['onComplete', 'onFail', 'onCancel'] as const
const NAMES = ['clientToken', ...CALLBACKS]

/**
 * Checks what a page without types passes. Never repeats the client token.
 * @throws {TypeError} that names the argument and the remedy
 */
export function readOptions(given: unknown): MountOptions {
  if (!isRecord(given))
    throw new TypeError(
      'PayCheckout.mount: the second argument must be an object, such as { clientToken, onComplete }',
    )
  const unknown = Object.keys(given).find((name) => !NAMES.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `PayCheckout.mount: unknown option ${unknown}. ${didYouMean(unknown, NAMES) ?? `Options are ${NAMES.join(', ')}.`}`,
    )
  const { clientToken } = given
  if (typeof clientToken !== 'string' || clientToken === '')
    throw new TypeError(
      'PayCheckout.mount: clientToken must be the client token of a session, as your server got it from POST /client-session',
    )
  const [onComplete, onFail, onCancel] = CALLBACKS.map((name) => readCallback(name, given[name]))
  return {
    clientToken,
    onComplete: onComplete ?? ignore,
    onFail: onFail ?? ignore,
    onCancel: onCancel ?? ignore,
  }
}

type Callback = (...values: readonly unknown[]) => void

function readCallback(name: string, given: unknown): Callback | undefined {
  if (given === undefined) return undefined
  if (typeof given !== 'function') throw new TypeError(`PayCheckout.mount: ${name} must be a function`)
  return (...values) => {
    Reflect.apply(given, undefined, values)
  }
}

const ignore = (): void => {}
