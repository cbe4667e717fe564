import { z } from '../../src/api/schema.ts'

/** One thing a program did: it changed the disk, or made something known by sending or printing. */
const operation = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('open'),
    fd: z.number(),
    path: z.string(),
    creates: z.boolean(),
    isNew: z.boolean(),
    truncates: z.boolean(),
    appends: z.boolean(),
  }),
  z.object({ op: z.literal('close'), fd: z.number() }),
  /** `at` is null for the current position. `data` is base64. */
  z.object({ op: z.literal('write'), fd: z.number(), at: z.nullable(z.number()), data: z.string() }),
  z.object({ op: z.literal('truncate'), fd: z.number(), length: z.number() }),
  /** A sync that runs beside other operations: what follows until its `sync` may not be durable. */
  z.object({ op: z.literal('sync-begins'), fd: z.number() }),
  z.object({ op: z.literal('sync'), fd: z.number() }),
  z.object({ op: z.literal('mkdir'), path: z.string() }),
  z.object({ op: z.literal('link'), from: z.string(), to: z.string() }),
  z.object({ op: z.literal('rename'), from: z.string(), to: z.string() }),
  z.object({ op: z.literal('unlink'), path: z.string() }),
  z.object({ op: z.literal('unmodelled'), name: z.string(), path: z.string() }),
  /** Sent to a socket. */
  z.object({ op: z.literal('send'), text: z.string() }),
  /** A part of a response arrived. */
  z.object({ op: z.literal('receive') }),
  /** Printed: `fd` 1 is stdout, 2 stderr. */
  z.object({ op: z.literal('say'), fd: z.number(), text: z.string() }),
  z.object({ op: z.literal('exit'), code: z.number() }),
])

export type Operation = z.infer<typeof operation>
