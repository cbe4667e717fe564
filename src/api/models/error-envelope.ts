import { lazy } from '../lazy.ts'
import { fields, list, text, value } from '../schema.ts'

/** What is wrong with a request, by the schema that it should have fitted. */
export const validationErrors = lazy(() =>
  fields({
    model: text(),
    errors: list(fields({ path: text(), description: text() })),
  }),
)

/** The body of every refusal. An idempotency conflict names the payment that the key was used for. */
export const errorEnvelope = lazy(() =>
  fields({
    error: fields({
      errorId: value('errorId'),
      description: text(),
      diagnosticsId: text(),
      recoverySuggestion: text(),
      paymentId: text(),
      paymentStatus: value('paymentStatus'),
      validationErrors: list(validationErrors()),
    }),
  }),
)
