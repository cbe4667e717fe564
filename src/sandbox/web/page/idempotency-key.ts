/** 128 random bits. `crypto.randomUUID` exists only on loopback and over https. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `dashboard-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
