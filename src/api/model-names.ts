/** The request of `payment.capture` is `PaymentCaptureAPIRequest`, as validation errors call it. */
export const requestModelName = (operationId: string): string => `${wordsOf(operationId)}APIRequest`
export const queryModelName = (operationId: string): string => `${wordsOf(operationId)}Query`

const wordsOf = (operationId: string): string =>
  operationId
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
