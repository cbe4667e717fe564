/**
 * Faults that the durability tests must find. Each replaces an exact text of one source file when the program is built for
 * the run; the source itself is never touched. If `from` does not occur exactly once, the run fails: plant the same fault
 * where the new code would have it.
 */
export const PLANTED_FAULTS = [
  {
    name: 'the ledger syncs nothing',
    test: 'ledger',
    file: 'src/client/ledger/ledger-file.ts',
    from: 'PRAGMA synchronous = EXTRA',
    to: 'PRAGMA synchronous = OFF',
  },
  {
    name: 'the ledger keeps its journal in memory',
    test: 'ledger',
    file: 'src/client/ledger/ledger-file.ts',
    from: 'PRAGMA journal_mode = TRUNCATE',
    to: 'PRAGMA journal_mode = MEMORY',
  },
  {
    name: 'the name of a new folder is not synced',
    test: 'profiles',
    file: 'src/files/private-folder.ts',
    from: '  syncPath(parent)\n  return true\n',
    to: '  return true\n',
  },
  {
    name: 'the profiles are not synced under snap',
    test: 'profiles',
    file: 'src/client/config/update-profiles.ts',
    from: '    syncPath(next)\n',
    to: '',
  },
  {
    name: 'the folder of the profiles is not synced',
    test: 'profiles',
    file: 'src/files/replace-file.ts',
    from: 'onceClosed(() => rename(next, path))\n  syncName(path)',
    to: 'onceClosed(() => rename(next, path))',
  },
  {
    name: 'the results are not synced before the run is forgotten',
    test: 'import',
    file: 'src/rows/keep/row-files.ts',
    from: '      if (isRegular) fsyncSync(handle)\n',
    to: '',
  },
  {
    name: 'the results are written after the run is forgotten',
    test: 'import',
    file: 'src/rows/keep/row-files.ts',
    from: `      flush()
      if (isRegular) fsyncSync(handle)
`,
    to: `      // The file may be closed by then, which has written the rest.
      setImmediate(() => {
        try {
          flush()
          fsyncSync(handle)
        } catch {}
      })
`,
  },
  {
    name: 'the header of the results is not synced',
    test: 'import',
    file: 'src/rows/keep/row-files.ts',
    from: '      writeWhole(handle, header)\n      fsyncSync(handle)\n',
    to: '      writeWhole(handle, header)\n',
  },
  {
    name: 'the names of the results are not synced',
    test: 'import',
    file: 'src/rows/keep/row-files.ts',
    from: '    syncPath(dirname(realpathSync(path)))\n',
    to: '',
  },
  {
    name: 'a run syncs as little as its build of SQLite likes',
    test: 'import',
    file: 'src/rows/keep/run-database.ts',
    from: '    connection.exec(SYNCED)\n',
    to: '',
  },
  {
    name: 'how far rows have been sent is not synced',
    test: 'import',
    file: 'src/rows/keep/run-store.ts',
    from: 'sentTo: row + SENT_BATCH }, isSentSynced)',
    to: 'sentTo: row + SENT_BATCH })',
  },
  {
    name: 'forgetting a run is not synced',
    test: 'import',
    file: 'src/rows/keep/run-database.ts',
    from: '${SYNCED}; BEGIN IMMEDIATE',
    to: 'PRAGMA synchronous = OFF; BEGIN IMMEDIATE',
  },
  {
    name: 'a plan is not synced',
    test: 'batch',
    file: 'src/rows/batch/file/write-plan.ts',
    from: '        fsyncSync(handle)\n',
    to: '',
  },
  {
    name: 'the name of a plan is not synced',
    test: 'batch',
    file: 'src/files/replace-file.ts',
    from: 'const syncName = (path: string): void => syncPath(dirname(path))',
    to: 'const syncName = (path: string): void => void path',
  },
  {
    name: 'the mark that a plan was begun is not synced',
    test: 'batch',
    file: 'src/rows/batch/apply/run-rows.ts',
    from: 'text, checksumOf(text))\n    })',
    to: 'text, checksumOf(text))\n    }, { isDurable: false })',
  },
  {
    name: 'the results of a batch are not synced',
    test: 'batch',
    file: 'src/rows/keep/row-files.ts',
    from: '    for (const file of files) file.sync()\n',
    to: '',
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
  {
    name: 'a list is not synced before its run is forgotten',
    test: 'list',
    file: 'src/commands/list-file.ts',
    from: '    syncPath(path)\n    removeFile(runPath',
    to: '    removeFile(runPath',
  },
]
