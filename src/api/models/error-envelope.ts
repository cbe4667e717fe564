import { lazySchema, looseObject, optionalList, optionalOneOf, optionalText } from '../schema.ts'

/** What is wrong with a request, by the schema that it should have fitted. */
export const validationErrors = lazySchema(() =>
  looseObject({
    model: optionalText(),
    errors: optionalList(looseObject({ path: optionalText(), description: optionalText() })),
  }),
)

/** The body of every refusal. An idempotency conflict names the payment that the key was used for. */
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
