import { hash } from 'node:crypto'

// The one-shot `hash` takes half the time of a hash object.
export const sha256 = (text: string): string => hash('sha256', text, 'hex')
export const sha256Base64url = (text: string): string => hash('sha256', text, 'base64url')
