/** Where `pay sandbox start` listens unless it is told otherwise. */
export const SANDBOX_PORT = 4010
