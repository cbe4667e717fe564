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
    from: 'last = await attemptOnce(options, call, request, { attempt, stop, confirm })',
    to: `const again = { ...request.headers, ...(operation.idempotencyKey ? { 'x-idempotency-key': options.newId() } : {}) }
    last = await attemptOnce(options, call, attempt === 0 ? request : { ...request, headers: again }, { attempt, stop, confirm })`,
  },
  {
    name: 'a resolve reformats the body that it sends again',
    file: 'src/calls/recovery/resolve.ts',
    from: '{ body: { value: parseJson(text), text } }',
    to: '{ body: { value: parseJson(text), text: JSON.stringify(parseJson(text), undefined, 1) } }',
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
    name: 'a process is identified by its pid alone',
    file: 'src/ledger/owner.ts',
    from: 'return startedAt === undefined || owner.startedAt === undefined || startedAt === owner.startedAt',
    to: 'return true',
  },
  {
    name: 'a retry forgets that an earlier attempt is in doubt',
    file: 'src/calls/attempts.ts',
    from: '        inDoubt ||= verdict.inDoubt\n',
    to: '',
  },
  {
    name: 'a key counts as remembered for ever',
    file: 'src/calls/recovery/by-key.ts',
    from: 'if (options.now().getTime() - keySinceOf(intent).getTime() > KEY_LIFETIME_MS)',
    to: 'if (options.now().getTime() - keySinceOf(intent).getTime() > Number.POSITIVE_INFINITY)',
    and: [
      {
        file: 'src/calls/attempts.ts',
        from: 'options.now().getTime() - startedMs > KEY_LIFETIME_MS',
        to: 'options.now().getTime() - startedMs > Number.POSITIVE_INFINITY',
      },
    ],
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
    file: 'src/ledger/record.ts',
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
  {
    name: 'the write is sent before its claim is committed',
    file: 'src/ledger/claim.ts',
    from: 'return store.transaction(work)',
    to: 'return store.reading(work)',
  },
  {
    name: 'an open write on the target is not looked for',
    file: 'src/ledger/tables.ts',
    from: 'UNIQUE INDEX open_target',
    to: 'INDEX open_target',
  },
  {
    name: 'an open record whose process has died blocks nothing',
    file: 'src/ledger/claim.ts',
    from: '    if (!isContinuedBy(found.record, wanted)) throw blocked(found.record, at)\n',
    to: '',
  },
  {
    name: 'the outcome is reported before it is committed',
    file: 'src/ledger/own-write.ts',
    from: '    return write().catch((error: unknown) => {\n      if (isRefusal(error)) throw error\n      return write()\n    })\n',
    to: '    void write().catch(() => undefined)\n    return ended(entry.record, ending, now())\n',
  },
  {
    name: 'a commit without an answer is looked for by reading, which sees no late one',
    file: 'src/ledger/claim.ts',
    from: "(await tx.run(INSERT, lost)) === 1 ? 'none' : await entryOf(tx, record.id)",
    to: "(await entryOf(tx, record.id)) ?? 'none'",
  },
  {
    name: 'a process that stood still sends although its lease has passed',
    isRare: true,
    file: 'src/ledger/own-write.ts',
    from: 'return wallMs - asked.wallMs < most && runMs - asked.monotonicMs < most',
    to: 'return wallMs - asked.wallMs < Infinity * most && runMs > 0',
  },
  {
    name: 'a claim whose commit failed is not taken back',
    file: 'src/ledger/claim.ts',
    from: 'if (team === undefined) await retract(id, error.cause)',
    to: 'if (team === undefined) await Promise.resolve()',
  },
  {
    name: 'two simultaneous resolves both send',
    // Both send the same key, and neither sends what the payment already shows: this rarely does harm.
    isRare: true,
    file: 'src/ledger/entry.ts',
    from: 'WHERE id = :id AND turn = :was AND state',
    to: 'WHERE id = :id AND :was = :was AND state',
    and: [
      {
        file: 'src/ledger/owner-check.ts',
        from: ': isAtWork(',
        to: ': owner.pid < 0 && isAtWork(',
      },
    ],
  },
  {
    name: 'a retry leaves no time behind',
    isRare: true,
    file: 'src/ledger/own-write.ts',
    from: "state: 'sending', lastAttemptAt: at.toISOString() }",
    to: "state: 'sending' }",
  },
  {
    name: 'a resolve that was killed before it sent moves the last attempt on',
    isRare: true,
    file: 'src/ledger/reopen.ts',
    from: 'held({ ...found, turn',
    to: 'held({ ...found, record: { ...found.record, lastAttemptAt: at.toISOString() }, turn',
  },
]
