const EMAIL = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+/g

/** Whose it is does not matter for what was done. */
export const maskEmails = (text: string): string => text.replaceAll(EMAIL, '[e-mail address]')
