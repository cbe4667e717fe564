/** The errorIds that say "this idempotency key was processed before". */
export const KEY_USED: readonly string[] = [
  'IdempotencyKeyAlreadyExists',
  'TransactionRequestIdempotencyKeyAlreadyExists',
]
