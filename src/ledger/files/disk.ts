/**
 * What the ledger asks of a file system. `real-disk.ts` is Node's; tests have one that loses what was not synced.
 * Nothing is durable before its `sync`: a file's contents by syncing the file, its name by syncing the folder.
 */
export interface Disk {
  /** Makes a folder and those above it, for their owner alone (0700), names synced. One that is there is fine. */
  readonly makeFolder: (path: string) => Promise<void>
  /** The names in a folder, in no order; none where there is no folder. */
  readonly names: (folder: string) => Promise<readonly string[]>
  /** The text from a byte on (the first unless told), cut characters replaced; undefined where there is no file. */
  readonly read: (path: string, fromByte?: number) => Promise<string | undefined>
  /** In bytes; undefined where there is no file. */
  readonly size: (path: string) => Promise<number | undefined>
  /** When its contents were last written; undefined where there is no file. */
  readonly modifiedAt: (path: string) => Promise<Date | undefined>
  /** A new file (0600) with this text. It must not be there; says so where its folder is missing. */
  readonly write: (path: string, text: string) => Promise<'written' | 'no-folder'>
  /** Adds to the end in one piece, making the file (0600) where there is none. */
  readonly append: (path: string, text: string) => Promise<void>
  /** Puts a file's contents, or a folder's names, on the disk for good. */
  readonly sync: (path: string) => Promise<void>
  /** Gives a file a second name, in one step that only one process can win; false when that name is taken. */
  readonly link: (from: string, to: string) => Promise<boolean>
  /** In one step, over what has that name. */
  readonly rename: (from: string, to: string) => Promise<void>
  /** What is gone already is fine. */
  readonly remove: (path: string) => Promise<void>
}
