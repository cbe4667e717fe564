/**
 * Faults that the simulation must find. Each replaces an exact text of one source file in the bundle for a run; the source
 * itself is never touched. If `from` does not occur exactly once, the run fails: plant the same fault where the new code
 * would have it. `isRare` marks faults that take thousands of histories to find; `and` adds edits where a second safeguard
 * would hide the fault.
 */
export const PLANTED_FAULTS = [
  {
    name: 'the outcome is reported before it is recorded',
    file: 'src/client/calls/client.ts',
    from: '    await intent.settle(settlementOf(options, call, { seen, answer }))\n',
    to: '    void intent.settle(settlementOf(options, call, { seen, answer }))\n',
  },
  {
    name: 'a retry gets a new key',
    file: 'src/client/calls/attempts.ts',
    from: 'last = await attemptOnce(options, call, request, { attempt, stop, confirm })',
    to: `const again = { ...request.headers, ...(operation.idempotencyKey ? { 'x-idempotency-key': options.newId() } : {}) }
    last = await attemptOnce(options, call, attempt === 0 ? request : { ...request, headers: again }, { attempt, stop, confirm })`,
  },
  {
    name: 'a resolve reformats the body that it sends again',
    file: 'src/client/recovery/resolve.ts',
    from: '{ body: { value: parseJson(text), text } }',
    to: '{ body: { value: parseJson(text), text: JSON.stringify(parseJson(text), undefined, 1) } }',
  },
  {
    name: 'a 409 on a first attempt counts as done',
    // Found only if a key is reused, and the payment happens to look as if the write were done.
    isRare: true,
    file: 'src/client/calls/retry.ts',
    from: "if (!inDoubt) return { kind: 'refused' }",
    to: "if (!inDoubt && !end.provesDone) return { kind: 'refused' }",
  },
  {
    name: 'a resolve sends with a new key',
    file: 'src/client/recovery/by-key.ts',
    from: 'const request = requestOf(context, call, intent.idempotencyKey)',
    to: 'const request = requestOf(context, call, context.newId())',
  },
  {
    name: 'a process is identified by its pid alone',
    isRare: true,
    file: 'src/client/ledger/owner.ts',
    from: 'return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt',
    to: 'return true',
  },
  {
    name: 'a retry forgets that an earlier attempt is in doubt',
    file: 'src/client/calls/attempts.ts',
    from: '        inDoubt ||= verdict.inDoubt\n',
    to: '',
  },
  {
    name: 'a resolve sends the whole amount',
    file: 'src/client/recovery/by-key.ts',
    from: 'const request = requestOf(context, call, intent.idempotencyKey)',
    to: 'const request = requestOf(context, { ...call, body: undefined }, intent.idempotencyKey)',
  },
  {
    name: "the effect of another write counts as this one's",
    file: 'src/client/ledger/record.ts',
    from: '  oncePerKey(records.filter((other) => isOtherConfirmed(record, other))).map(doneWriteIn)',
    to: '  records.length > 0 ? [] : []',
  },
  {
    name: 'a payment that was read earlier counts as current',
    isRare: true,
    file: 'src/client/calls/client.ts',
    from: '...(knownEnded === undefined ? {} : { knownEnded }),',
    to: '',
  },
  {
    name: 'the write is sent before its claim is committed',
    file: 'src/client/ledger/claim.ts',
    from: 'return store.transaction(work, { locks })',
    to: 'return store.reading(work)',
  },
  {
    name: 'an open write on the target is not looked for',
    // Each of the two alone still refuses.
    file: 'src/client/ledger/tables.ts',
    from: 'UNIQUE INDEX ${name}',
    to: 'INDEX ${name}',
    and: [
      {
        file: 'src/client/ledger/claim.ts',
        from: 'open.find((entry) => isInTheWay(',
        to: 'open.find((entry) => entry.turn < 0 && isInTheWay(',
      },
    ],
  },
  {
    name: 'an open record whose process has died blocks nothing',
    file: 'src/client/ledger/claim.ts',
    from: '    if (!isContinuedBy(found.record, wanted)) throw blocked(found.record, at)\n',
    to: '',
  },
  {
    name: 'the outcome is reported before it is committed',
    file: 'src/client/ledger/own-write.ts',
    from: '    return write().catch((error: unknown) => {\n      if (isRefusal(error)) throw error\n      return write()\n    })\n',
    to: '    void write().catch(() => undefined)\n    return ended(entry.record, ending, now())\n',
  },
  {
    name: 'a commit without an answer is looked for by reading, which sees no late one',
    file: 'src/client/ledger/claim.ts',
    from: "(await tx.run(INSERT, lost)) === 1 ? 'none' : await entryOf(tx, record.id)",
    to: "(await entryOf(tx, record.id)) ?? 'none'",
  },
  {
    name: 'a claim whose commit failed is not taken back',
    file: 'src/client/ledger/claim.ts',
    from: 'if (team === undefined) await retract(id, error.cause)',
    to: 'if (team === undefined) await Promise.resolve()',
  },
  {
    name: 'two simultaneous resolves both send',
    // Both send the same key, and neither sends what the payment already shows: this rarely does harm.
    isRare: true,
    file: 'src/client/ledger/entry.ts',
    from: 'WHERE id = :id AND turn = :was`',
    to: 'WHERE id = :id AND :was = :was`',
    and: [
      {
        file: 'src/client/ledger/owner-check.ts',
        from: ': isAtWork(',
        to: ': owner.pid < 0 && isAtWork(',
      },
    ],
  },
  {
    name: 'a key counts as remembered for ever',
    file: 'src/client/calls/absence.ts',
    from: '> KEY_LIFETIME_MS',
    to: '> Number.POSITIVE_INFINITY',
  },
  {
    name: 'the age of a key is what the youngest clock says',
    isRare: true,
    file: 'src/client/calls/absence.ts',
    from: '(oldestAgeMs(since, now) ?? Number.POSITIVE_INFINITY)',
    to: '(youngestAgeMs(since, now) ?? 0)',
  },
  {
    name: 'a write that the payment does not show is not done at once',
    file: 'src/client/calls/absence.ts',
    from: 'if (isEmbedded) return 0',
    to: 'if (ageMsOf !== undefined) return 0',
    and: [
      {
        file: 'src/client/calls/absence.ts',
        from: '/** Whether the service may have forgotten',
        to: 'const ageMsOf = 0\n/** Whether the service may have forgotten',
      },
    ],
  },
  {
    name: 'absence counts from when the payment was answered',
    // The write must be done while the answer to a resolve is under way, which also ends within the wait for absence.
    isRare: true,
    file: 'src/client/recovery/resolution.ts',
    from: '    { ...context.began, serviceMs: context.service.seenMs() },',
    to: '    nowOf(context, intent),',
  },
  {
    name: 'absence counts by the oldest age that a clock gives',
    file: 'src/client/calls/absence.ts',
    from: 'const ageMs = youngestAgeMs(timing.last, now)',
    to: 'const ageMs = oldestAgeMs(timing.last, now)',
  },
  {
    name: 'the time of the first attempt is that of the last',
    isRare: true,
    file: 'src/client/ledger/own-write.ts',
    from: "state: 'sending', last, timeoutMs } as const",
    to: "state: 'sending', timeoutMs } as const",
  },
  {
    name: 'a process that stood still sends although its lease has passed',
    isRare: true,
    file: 'src/client/ledger/own-write.ts',
    from: 'isLeased: () => isWithin(own.asked, leaseMs(own.timeoutMs)),',
    to: 'isLeased: () => true,',
    and: [
      {
        file: 'src/client/ledger/own-write.ts',
        from: 'isFresh: () => isWithin(own.asked, FRESH_MS),',
        to: 'isFresh: () => true,',
      },
    ],
  },
  {
    name: 'a status that gateways send is a refusal',
    file: 'src/client/calls/retry.ts',
    from: '= [303, 408, 460, 499]',
    to: '= []',
  },
  {
    name: 'a write is sent again although the payment shows its effect',
    file: 'src/client/recovery/by-key.ts',
    from: 'resends === true ? undefined',
    to: 'resends !== undefined ? undefined',
  },
  {
    name: 'an effect that another write of this ledger explains is taken for its own',
    file: 'src/client/recovery/evidence.ts',
    from: 'if (at >= 0) unexplained.splice(at, 1)',
    to: 'if (at >= 0) void at',
  },
  {
    name: 'open writes do not count towards a limit over time',
    isRare: true,
    file: 'src/client/ledger/limits-in-time.ts',
    from: '  for (const record of open) add(record, 0)\n',
    to: '',
  },
  {
    name: 'a limit over time begins anew with another key',
    isRare: true,
    file: 'src/client/ledger/limits-in-time.ts',
    from: '(databaseMs === undefined && profile',
    to: '(databaseMs !== undefined && profile',
  },
  {
    name: 'a limit over time counts by the wall clock alone',
    isRare: true,
    file: 'src/client/ledger/limits-in-time.ts',
    from: 'youngestAgeMs(timingOf(record).first, moment) ?? wallMs - createdMs',
    to: 'wallMs - createdMs',
  },
]
