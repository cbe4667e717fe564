import { lazySchema, looseObject, optionalList, optionalOneOf, optionalText } from '../schema.ts'

/** Validation errors of a request, with the name of its model. */
export const validationErrors = lazySchema(() =>
  looseObject({
    model: optionalText(),
    errors: optionalList(looseObject({ path: optionalText(), description: optionalText() })),
  }),
)

/** The body of every error. For an idempotency conflict it names the payment that the key was used for. */
export const errorEnvelope = lazySchema(() =>
  looseObject({
    error: looseObject({
      errorId: optionalOneOf('errorId'),
      description: optionalText(),
      diagnosticsId: optionalText(),
      recoverySuggestion: optionalText(),
      paymentId: optionalText(),
      paymentStatus: optionalOneOf('paymentStatus'),
      validationErrors: optionalList(validationErrors()),
    }),
  }),
)
