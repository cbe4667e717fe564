import open from 'open'

/**
 * Opens an address in the user's browser, without waiting for it. Rejects if no program can be started.
 * The address appears on a command line, so it must not hold a secret.
 */
export async function openUrl(url: string): Promise<void> {
  await open(url)
}
