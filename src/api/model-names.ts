/** The request of `payment.capture` is `PaymentCaptureAPIRequest`, as validation errors call it. */
export const requestModelName = (operationId: string): string => `${toPascalCase(operationId)}APIRequest`
export const queryModelName = (operationId: string): string => `${toPascalCase(operationId)}Query`

const toPascalCase = (operationId: string): string =>
  operationId
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
