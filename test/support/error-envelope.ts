/** An account for tests that answer as a service would; a test one, on loopback. */
export const SERVICE_ENV = {
  PAY_API_KEY: 'key_of_a_test_0000',
  PAY_BASE_URL: 'http://127.0.0.1:9',
} as const

/** A refusal as the service words it. */
export const envelope = (errorId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  error: { errorId, description: `says ${errorId}`, diagnosticsId: 'diag-1', ...more },
})
