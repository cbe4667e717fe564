/** The environment of a test account on loopback, for tests that pass their own `service`. */
export const SERVICE_ENV = { PAY_API_KEY: 'key_of_a_test_0000', PAY_BASE_URL: 'http://127.0.0.1:9' } as const

/** The body of an error response: `{ error: { errorId, description, diagnosticsId } }`. */
export const envelope = (errorId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  error: { errorId, description: `says ${errorId}`, diagnosticsId: 'diag-1', ...more },
})
