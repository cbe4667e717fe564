import { capitalize } from '../text/words.ts'

/** The model name in validation errors: `PaymentCaptureAPIRequest` for `payment.capture`. */
export const requestModelName = (operationId: string): string => `${toPascalCase(operationId)}APIRequest`
export const queryModelName = (operationId: string): string => `${toPascalCase(operationId)}Query`

const toPascalCase = (operationId: string): string => operationId.split('.').map(capitalize).join('')
