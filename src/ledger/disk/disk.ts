/**
 * The file system, as the ledger uses it. `real-disk.ts` is the real one; test disks lose what was not synced.
 * Nothing is durable before `sync`: syncing a file makes its contents durable, syncing its folder makes its name durable.
 */
export interface Disk {
  /** Makes a folder and its parents, for their owner only (0700), and syncs their names. An existing folder is fine. */
  readonly makeFolder: (path: string) => Promise<void>
  /** The names in a folder, unordered; empty if there is no folder. */
  readonly names: (folder: string) => Promise<readonly string[]>
  /** The text from a byte on (default 0); incomplete characters are replaced. undefined if there is no file. */
  readonly read: (path: string, fromByte?: number) => Promise<string | undefined>
  /**
   * The text of a file in parts of whole lines, the last part first; nothing if there is no file. The first part is short, which
   * is enough for most searches. Doesn't see what is appended in the meantime.
   */
  readonly readBackwards: (path: string) => AsyncIterable<string>
  /** In bytes; undefined if there is no file. */
  readonly size: (path: string) => Promise<number | undefined>
  /** When its contents were last written; undefined if there is no file. */
  readonly modifiedAt: (path: string) => Promise<Date | undefined>
  /** Writes a new file (0600). Fails if the file exists; returns `no-folder` if its folder is missing. */
  readonly write: (path: string, text: string) => Promise<'written' | 'no-folder'>
  /** Appends in one piece, creating the file (0600) if necessary. */
  readonly append: (path: string, text: string) => Promise<void>
  /** Makes a file's contents, or a folder's names, durable. */
  readonly sync: (path: string) => Promise<void>
  /** Gives a file a second name, atomically; false if that name is taken. */
  readonly link: (from: string, to: string) => Promise<boolean>
  /** Atomically; replaces a file of that name. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** A missing file is fine. */
  readonly remove: (path: string) => Promise<void>
}
