/**
 * Faults that the durability tests must find. Each replaces an exact text of one source file when the program is built for
 * the run; the source itself is never touched. If `from` does not occur exactly once, the run fails: plant the same fault
 * where the new code would have it.
 */
export const PLANTED_FAULTS = [
  {
    name: 'the ledger syncs nothing',
    test: 'ledger',
    file: 'src/ledger/disk/real-disk.ts',
    from: '    fsyncSync(handle)\n',
    to: '',
  },
  {
    name: 'a new record is not synced',
    test: 'ledger',
    file: 'src/ledger/files/open-folder.ts',
    from: '      await this.#disk.sync(made)\n      await this.#disk.rename(made, this.#at(fileOf(entryOf(record)',
    to: '      await this.#disk.rename(made, this.#at(fileOf(entryOf(record)',
  },
  {
    name: 'the name of a new record is not synced',
    test: 'ledger',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.sync(this.#folder)\n    const { owner, updatedAt: since } = record\n',
    to: '    const { owner, updatedAt: since } = record\n',
  },
  {
    name: 'a record that is taken over is sent before its name is synced',
    test: 'ledger',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.sync(this.#folder)\n    const now = await this.read(expected)\n',
    to: '    const now = await this.read(expected)\n',
  },
  {
    name: 'an unknown outcome is overwritten without a sync',
    test: 'ledger',
    file: 'src/ledger/files/open-folder.ts',
    from: '      await this.#writeOver(made, recordText({ ...record, owner: this.#own() }))\n      await this.#disk.sync(made)\n',
    to: '      await this.#writeOver(made, recordText({ ...record, owner: this.#own() }))\n',
  },
  {
    name: 'the removal of an unsent record is not synced',
    test: 'ledger',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await sync()\n      .catch(sync)\n      .catch(() => undefined)\n',
    to: '',
  },
  {
    name: 'an outcome is not synced',
    test: 'ledger',
    file: 'src/ledger/files/history.ts',
    from: '      await disk.sync(path)\n',
    to: '',
  },
  {
    name: 'the file of a new month is not synced into its folder',
    test: 'ledger',
    file: 'src/ledger/files/history.ts',
    from: `      await disk.sync(folder)
    },

    async sync()`,
    to: `    },

    async sync()`,
  },
  {
    name: 'an outcome that another process wrote is trusted before it is synced',
    test: 'ledger',
    file: 'src/ledger/files/history.ts',
    from: '      await disk.sync(pathOf(fileFor(record.updatedAt)))\n      await disk.sync(folder)\n',
    to: '',
  },
  {
    name: 'the name of a new folder is not synced',
    test: 'profiles',
    file: 'src/private-folder.ts',
    from: '  syncPath(parent)\n  return true\n',
    to: '  return true\n',
  },
  {
    name: 'the profiles are overwritten under snap',
    test: 'profiles',
    file: 'src/config/update-profiles.ts',
    from: "  delete process.env['SNAP']\n",
    to: '',
  },
  {
    name: 'the folder of the profiles is not synced',
    test: 'profiles',
    file: 'src/config/update-profiles.ts',
    from: '      syncPath(dirname(path))\n',
    to: '',
  },
  {
    name: 'the results are not synced before the checkpoint',
    test: 'import',
    file: 'src/bulk/keep/row-files.ts',
    from: '      if (isRegular) fsyncSync(handle)\n',
    to: '',
  },
  {
    name: 'the results are written after the checkpoint',
    test: 'import',
    file: 'src/bulk/keep/row-files.ts',
    from: `      flush()
      if (isRegular) fsyncSync(handle)
      return bytes
`,
    to: `      const length = bytes + Buffer.byteLength(pending)
      // The file may be closed by then, which has written the rest.
      setImmediate(() => {
        try {
          flush()
          fsyncSync(handle)
        } catch {}
      })
      return length
`,
  },
  {
    name: 'the names of the results are not synced',
    test: 'import',
    file: 'src/bulk/keep/row-files.ts',
    from: '    syncPath(dirname(realpathSync(path)))\n',
    to: '',
  },
  {
    name: 'a checkpoint is not synced',
    test: 'import',
    file: 'src/bulk/keep/checkpoint.ts',
    from: '  syncPath(next)\n',
    to: '',
  },
  {
    name: 'the name of a checkpoint is not synced',
    test: 'import',
    file: 'src/bulk/keep/checkpoint.ts',
    from: '  syncPath(dirname(path))\n',
    to: '',
  },
  {
    name: 'the removal of a checkpoint is not synced',
    test: 'import',
    file: 'src/import/run-state.ts',
    from: '    syncPath(folder)\n',
    to: '',
  },
  {
    name: 'the journal of sent rows is not synced',
    test: 'import',
    file: 'src/bulk/keep/journal.ts',
    from: '      if (isSentSynced) fsyncSync(handle)\n',
    to: '',
  },
  {
    name: 'a compacted journal is not synced',
    test: 'import',
    file: 'src/bulk/keep/journal.ts',
    from: '      if (isSentSynced) syncPath(`${path}.next`)\n',
    to: '',
  },
  {
    name: 'the name of a compacted journal is not synced',
    test: 'import',
    file: 'src/bulk/keep/journal.ts',
    from: '      if (isSentSynced) syncPath(dirname(path))\n      handle',
    to: '      handle',
  },
  {
    name: 'the sandbox does not sync what it commits',
    test: 'sandbox',
    file: 'src/sandbox/database/database-file.ts',
    from: 'PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}; PRAGMA synchronous = FULL',
    to: 'PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}; PRAGMA synchronous = NORMAL',
  },
  {
    name: 'the sandbox treats writes as reads',
    test: 'sandbox',
    file: 'src/sandbox/database/group-commit.ts',
    from: 'const isDurable = group.some((piece) => piece.isDurable)',
    to: 'const isDurable = false',
  },
]
