/**
 * Faults that the simulation must find. Each replaces an exact text of one source file in the bundle for a run; the source
 * itself is never touched. If `from` does not occur exactly once, the run fails: plant the same fault where the new code
 * would have it. `isRare` marks faults that take thousands of histories to find; `and` adds edits where a second safeguard
 * would hide the fault.
 */
export const PLANTED_FAULTS = [
  {
    name: 'the outcome is reported before it is recorded',
    file: 'src/calls/client.ts',
    from: '    await intent.settle(settlementOf(answer))\n',
    to: '    void intent.settle(settlementOf(answer))\n',
  },
  {
    name: 'a retry gets a new key',
    file: 'src/calls/attempts.ts',
    from: 'last = await attemptOnce(options, call, request, attempt)',
    to: `const again = { ...request.headers, ...(operation.idempotencyKey ? { 'x-idempotency-key': options.newId() } : {}) }
    last = await attemptOnce(options, call, attempt === 0 ? request : { ...request, headers: again }, attempt)`,
  },
  {
    name: 'the write is sent before its record is synced',
    file: 'src/ledger/files/open-folder.ts',
    from: "      await this.#disk.sync(made)\n      await this.#disk.rename(made, this.#at(fileOf(entryOf(record), 'claim')))",
    to: "      await this.#disk.rename(made, this.#at(fileOf(entryOf(record), 'claim')))",
  },
  {
    name: 'a resolve reformats the body that it sends again',
    file: 'src/calls/recovery/resolve.ts',
    from: '{ body: { value: parseJson(text), text } }',
    to: '{ body: { value: parseJson(text), text: JSON.stringify(parseJson(text), undefined, 1) } }',
  },
  {
    name: 'an open record of the same target is not waited for',
    file: 'src/ledger/files/claim.ts',
    from: 'const file = await waitForOtherClaims(parts, record)',
    to: 'const file = undefined',
  },
  {
    name: 'two simultaneous claims both succeed',
    file: 'src/ledger/files/claim.ts',
    from: 'const fixed = others.find((other) => !other.isClaim || other.name < record.id)',
    to: 'const fixed = others.find((other) => !other.isClaim)',
    and: [{ file: 'src/ledger/files/claim.ts', from: 'return others[0]', to: 'return undefined' }],
  },
  {
    name: 'an ended record is removed by its target, not by its own name',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.remove(this.#at(file.file))\n    await this.#removeTakeovers(file)\n',
    to: `    if ((await this.#disk.size(this.#at(file.file))) !== undefined)
      for (const name of await this.#disk.names(this.#folder))
        if (name.startsWith(\`\${file.target}.\`)) await this.#disk.remove(this.#at(name))
`,
  },
  {
    name: 'a write is sent as soon as its claim is announced',
    file: 'src/ledger/files/claim.ts',
    from: 'const kept = await open.commit(record)',
    to: `const kept = { ...(await open.others({ ...record, id: '' })).find(({ name }) => name === record.id), record }`,
  },
  {
    name: 'an open record whose process has died blocks nothing',
    file: 'src/ledger/ledger.ts',
    from: '\n    if (!isContinuedBy(record, wanted)) throw blocked(record, now())\n',
    to: `
    if (!isContinuedBy(record, wanted)) {
        await open.remove(file)
        return 'retry'
      }
`,
  },
  {
    name: 'a 409 on a first attempt counts as done',
    // Found only if a key is reused, and the payment happens to look as if the write were done.
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
    name: 'the write is sent before the name of its record is synced',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.sync(this.#folder)\n    const { owner, updatedAt: since } = record',
    to: '    const { owner, updatedAt: since } = record',
  },
  {
    name: 'the open record is removed before its outcome is recorded',
    file: 'src/ledger/settle.ts',
    from: '    await history.append(next).catch(',
    to: '    await open.remove(file)\n    await history.append(next).catch(',
  },
  {
    name: 'the outcome is reported before it is synced',
    file: 'src/ledger/files/history.ts',
    from: '      await disk.sync(path)\n',
    to: '',
  },
  {
    name: 'two simultaneous resolves both send',
    // Both send the same key, and neither sends what the payment already shows: this rarely does harm.
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
    name: 'the claim of a running process is swept away',
    file: 'src/ledger/files/crash-cleanup.ts',
    from: '    if (!isGone(owner)) continue\n',
    to: '',
  },
  {
    name: 'a process is identified by its pid alone',
    file: 'src/ledger/files/owner.ts',
    from: 'return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt',
    to: 'return true',
  },
  {
    name: 'a retry forgets that an earlier attempt is in doubt',
    file: 'src/calls/attempts.ts',
    from: '        inDoubt = verdict.inDoubt\n',
    to: '',
  },
  {
    name: 'a key counts as remembered for ever',
    file: 'src/calls/recovery/by-key.ts',
    from: 'if (options.now().getTime() - createdAt.getTime() > KEY_LIFETIME_MS)',
    to: 'if (options.now().getTime() - createdAt.getTime() > Number.POSITIVE_INFINITY)',
    and: [
      {
        file: 'src/calls/attempts.ts',
        from: 'options.now().getTime() - startedMs > KEY_LIFETIME_MS',
        to: 'options.now().getTime() - startedMs > Number.POSITIVE_INFINITY',
      },
    ],
  },
  {
    name: 'a record that is taken over is sent before it is durable',
    file: 'src/ledger/files/open-folder.ts',
    from: '    await this.#disk.sync(this.#folder)\n    const now =',
    to: '    const now =',
  },
  {
    name: 'a resolve sends what was refused as a repeat',
    isRare: true,
    file: 'src/cli/resolve-open.ts',
    from: 'if (stoppedBy !== undefined)',
    to: "if (stoppedBy?.code === 'never')",
  },
  {
    name: 'a write is sent again although someone has made up for it',
    file: 'src/calls/recovery/by-key.ts',
    from: 'if (remedyAt !== undefined && sendsDespiteRemedy !== true)',
    to: 'if (remedyAt !== undefined && remedyAt.getTime() < 0)',
  },
  {
    name: 'an equal refund counts as made up for it by the clock of this machine',
    isRare: true,
    file: 'src/calls/recovery/by-key.ts',
    from: ' + clockOffsetMs',
    to: ' + 0 * clockOffsetMs',
  },
  {
    name: 'a resolve that was killed before it sent moves the last attempt on',
    isRare: true,
    file: 'src/ledger/files/record.ts',
    from: '  lastAttemptAt: new Date(record.lastAttemptAt ?? record.underWayAt ?? record.updatedAt),',
    to: '  lastAttemptAt: wasTakenOver ? now : new Date(record.lastAttemptAt ?? record.underWayAt ?? record.updatedAt),',
  },
  {
    name: 'an equal write of someone else proves a refund that is too old to be sent',
    isRare: true,
    file: 'src/calls/recovery/evidence.ts',
    from: "  return whether.every((is) => is === 'no') ? ifNone : 'unclear'",
    to: "  return whether.every((is) => is === 'no') ? ifNone : 'shown'",
  },
  {
    name: 'a resolve sends the whole amount',
    file: 'src/calls/recovery/by-key.ts',
    from: 'const request = requestOf(options, call, intent.idempotencyKey)',
    to: 'const request = requestOf(options, { ...call, body: undefined }, intent.idempotencyKey)',
  },
  {
    name: "the effect of another write counts as this one's",
    file: 'src/ledger/files/record.ts',
    from: 'others: oncePerKey(others.filter((other) => isOtherConfirmed(record, other))).map(toDoneIntent),',
    to: 'others: [],',
  },
  {
    name: 'a payment that was read earlier counts as current',
    isRare: true,
    file: 'src/calls/client.ts',
    from: '...(before === undefined ? {} : { seenAt }),',
    to: '',
  },
  {
    name: 'a resolve does not wait for requests that may still arrive',
    file: 'src/calls/recovery/settle-delay.ts',
    from: 'context.underWayAt().getTime() + settleDelayOf(context, intent) - context.now().getTime()',
    to: 'context.underWayAt().getTime() + settleDelayOf(context, intent) - Number.POSITIVE_INFINITY',
  },
  {
    name: 'a payment with an earlier date counts as another one',
    file: 'src/calls/clock-skew.ts',
    from: "? 'perhaps' : 'no'",
    to: "? 'no' : 'no'",
  },
]
