/** Default port of `pay sandbox start`. */
export const SANDBOX_PORT = 4010
