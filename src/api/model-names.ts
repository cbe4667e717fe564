import { capitalize } from '../text/words.ts'

/** `PaymentCaptureAPIRequest` for `payment.capture`: the model name in validation errors. */
export const requestModelName = (operationId: string): string => `${toPascalCase(operationId)}APIRequest`
export const queryModelName = (operationId: string): string => `${toPascalCase(operationId)}Query`

const toPascalCase = (operationId: string): string => operationId.split('.').map(capitalize).join('')
