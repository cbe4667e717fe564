/**
 * Faults that the simulation has to find: each an exact text of one source file, and what is put in its place when the
 * program is bundled for a run. The source itself is never touched. A text that is not there exactly once fails the run,
 * so that whoever changes the line looks for where the fault would be made now. Rare is what takes thousands of
 * histories to show; `and` what else has to be wrong, where one guard stands behind another.
 */
export const PLANTED_FAULTS = [
  {
    name: 'the outcome is told before it is recorded',
    file: 'src/calls/client.ts',
    from: '    await intent.settle(settlementOf(answer))\n',
    to: '    void intent.settle(settlementOf(answer))\n',
  },
  {
    name: 'a resend gets a new key',
    file: 'src/calls/attempts.ts',
    from: 'last = await attemptOnce(options, call, request, attempt)',
    to: `const again = { ...request.headers, ...(operation.idempotencyKey ? { 'x-idempotency-key': options.newId() } : {}) }
    last = await attemptOnce(options, call, attempt === 0 ? request : { ...request, headers: again }, attempt)`,
  },
  {
    name: 'the intent is not synced before it is sent',
    file: 'src/ledger/files/open-folder.ts',
    from: "      await this.#disk.sync(made)\n      await this.#disk.rename(made, this.#at(fileOf(entryOf(record), 'claim')))",
    to: "      await this.#disk.rename(made, this.#at(fileOf(entryOf(record), 'claim')))",
  },
  {
    name: 'the body is written anew for a resend',
    file: 'src/calls/recovery/resolve.ts',
    from: '{ body: { value: parseJson(text), text } }',
    to: '{ body: { value: parseJson(text), text: JSON.stringify(parseJson(text), undefined, 1) } }',
  },
  {
    name: 'claim and check are two steps',
    file: 'src/ledger/files/claim.ts',
    from: 'const file = await waitForOtherClaims(parts, record)',
    to: 'const file = undefined',
  },
  {
    name: 'of two claims at once both go on',
    file: 'src/ledger/files/claim.ts',
    from: 'const fixed = others.find((other) => !other.isClaim || other.name < record.id)',
    to: 'const fixed = others.find((other) => !other.isClaim)',
    and: [{ file: 'src/ledger/files/claim.ts', from: 'return others[0]', to: 'return undefined' }],
  },
  {
    name: 'what has ended is removed by its target, after a look',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.remove(this.#at(file.file))\n    await this.#removeTakeovers(file)\n',
    to: `    if ((await this.#disk.size(this.#at(file.file))) !== undefined)
      for (const name of await this.#disk.names(this.#folder))
        if (name.startsWith(\`\${file.target}.\`)) await this.#disk.remove(this.#at(name))
`,
  },
  {
    name: 'a claim is sent as soon as it is announced',
    file: 'src/ledger/files/claim.ts',
    from: 'const kept = await open.commit(record)',
    to: `const kept = { ...(await open.others({ ...record, id: '' })).find(({ name }) => name === record.id), record }`,
  },
  {
    name: 'the lock of a dead owner is ignored',
    file: 'src/ledger/ledger.ts',
    from: '\n    if (!isTakenUpAgain(record, wanted)) throw blocked(record, now())\n',
    to: `
    if (!isTakenUpAgain(record, wanted)) {
        await open.remove(file)
        return 'again'
      }
`,
  },
  {
    name: 'a 409 on a first send is taken as done',
    // A key that another write has used is no proof either, and only a read that fits by chance makes one of it.
    isRare: true,
    file: 'src/calls/retry.ts',
    from: "if (!inDoubt) return { kind: 'refused' }",
    to: "if (!inDoubt && !end.provesDone) return { kind: 'refused' }",
  },
  {
    name: 'a resolve sends with a new key',
    file: 'src/calls/recovery/by-key.ts',
    from: 'const request = requestOf(options, call, intent.idempotencyKey)',
    to: 'const request = requestOf(options, call, options.newId())',
  },
  {
    name: 'the name of the intent is not synced before it is sent',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.sync(this.#folder)\n    const { owner, updatedAt: since } = record',
    to: '    const { owner, updatedAt: since } = record',
  },
  {
    name: 'the open record goes before its end is recorded',
    file: 'src/ledger/settle.ts',
    from: '    await history.append(next).catch(',
    to: '    await open.remove(file)\n    await history.append(next).catch(',
  },
  {
    name: 'the end is not synced before it is told',
    file: 'src/ledger/files/history.ts',
    from: '      await disk.sync(path)\n      // Whoever',
    to: '      // Whoever',
  },
  {
    name: 'two resolves at once both go on',
    // Both send with the same key, and neither sends what the payment shows: it takes long until that does harm.
    isRare: true,
    file: 'src/ledger/files/open-folder.ts',
    from: 'if (!(await this.#disk.link(made, path))) return undefined',
    to: 'await this.#disk.link(made, path)',
    and: [
      {
        file: 'src/ledger/files/open-folder.ts',
        from: "isSameOwner(now.owner, this.#own()) ? 'ours' : 'taken'",
        to: "isSameOwner(now.owner, now.owner) ? 'ours' : 'taken'",
      },
    ],
  },
  {
    name: 'what a living process is about to claim is swept away',
    file: 'src/ledger/files/crash-cleanup.ts',
    from: '    if (!isGone(owner)) continue\n',
    to: '',
  },
  {
    name: 'a process is known by its number alone',
    file: 'src/ledger/files/owner.ts',
    from: 'return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt',
    to: 'return true',
  },
  {
    name: 'a doubt is forgotten at the next attempt',
    file: 'src/calls/attempts.ts',
    from: '        inDoubt = verdict.inDoubt\n',
    to: '',
  },
  {
    name: 'a key is taken to live for ever',
    file: 'src/calls/recovery/by-key.ts',
    from: 'if (ageMs > KEY_LIFE_MS)',
    to: 'if (ageMs > Number.POSITIVE_INFINITY)',
  },
  {
    name: 'what was left is sent before its record is durable',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.sync(this.#folder)\n    const now =',
    to: '    const now =',
  },
  {
    name: 'what was refused as a repeat is sent by a resolve',
    isRare: true,
    file: 'src/cli/resolve-open.ts',
    from: 'if (stoppedBy !== undefined)',
    to: "if (stoppedBy?.code === 'never')",
  },
  {
    name: 'what another one did is taken for this one',
    file: 'src/ledger/files/record.ts',
    from: 'others: others.filter((other) => isDoneBeside(record, other)).map(doneOf),',
    to: 'others: [],',
  },
  {
    name: 'what was read is taken to be true still',
    isRare: true,
    file: 'src/calls/client.ts',
    from: '...(before === undefined ? {} : { seenAt }),',
    to: '',
  },
  {
    name: 'nobody waits for what may arrive late',
    file: 'src/calls/recovery/settle-delay.ts',
    from: 'context.underWayAt().getTime() + delayMs - context.now().getTime()',
    to: 'context.underWayAt().getTime() + delayMs - Number.POSITIVE_INFINITY',
  },
  {
    name: 'what is from before by its date is taken for another one',
    file: 'src/calls/clocks.ts',
    from: "? 'perhaps' : 'no'",
    to: "? 'no' : 'no'",
  },
]
