/** 128 random bits, after the page that sends them. `crypto.randomUUID` exists only on loopback and over https. */
export function newIdempotencyKey(page: 'dashboard' | 'checkout'): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `${page}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
