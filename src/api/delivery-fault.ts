/** What a simulated network does to a response: the sandbox says it, and its server or the transport within a process carries it out. */
export type DeliveryFault =
  /** Refuse the connection, or reset it if it is already open. */
  | { readonly kind: 'refused' }
  /** Close the connection instead of answering. */
  | { readonly kind: 'dropped' }
  /** Send part of the response, then close the connection. */
  | { readonly kind: 'truncated' }
  /** Never answer. */
  | { readonly kind: 'no-response' }
  | { readonly kind: 'delayed'; readonly ms: number }
