import { lazySchema, z } from '../../api/schema.ts'
import { BATCH_OPERATIONS, VERDICTS } from '../plan.ts'
import type { PlanHeader, PlanRow, PlannedInput } from '../plan.ts'

/** The digest shows that a file is unchanged, not that `pay` wrote it, so each line is checked. */

const count = () => z.int().check(z.minimum(0))

const header = lazySchema(() =>
  z.looseObject({
    type: z.literal('plan'),
    version: z.literal(1),
    planId: z.string().check(z.regex(/^[\w-]{8,64}$/)),
    operation: z.enum(BATCH_OPERATIONS),
    profile: z.optional(z.string()),
    account: z.string(),
    mode: z.enum(['test', 'live']),
    baseUrl: z.string(),
    planner: z.string(),
    createdAt: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)),
    input: z.string(),
    source: z.looseObject({
      format: z.enum(['csv', 'ndjson']),
      delimiter: z.optional(z.string()),
      encoding: z.string(),
      hasMark: z.boolean(),
      path: z.optional(z.string()),
    }),
  }),
)

const row = lazySchema(() =>
  z.looseObject({
    type: z.literal('row'),
    row: z.int().check(z.minimum(1)),
    line: z.int().check(z.minimum(1)),
    verdict: z.enum(VERDICTS),
    message: z.optional(z.string()),
    paymentId: z.optional(z.string()),
    orderId: z.optional(z.string()),
    amount: z.optional(count()),
    currencyCode: z.optional(z.string()),
    reason: z.optional(z.string()),
    ticket: z.optional(z.string()),
    takesAll: z.optional(z.literal(true)),
    final: z.optional(z.literal(false)),
    releases: z.optional(count()),
    figures: z.optional(
      z.looseObject({
        status: z.string(),
        amount: count(),
        amountCaptured: count(),
        amountRefunded: count(),
      }),
    ),
  }),
)

const input = lazySchema(() => z.looseObject({ type: z.literal('input'), bytes: count(), hash: z.string() }))

export const isPlannedInput = (value: unknown): value is PlannedInput => input().safeParse(value).success

export const isPlanHeader = (value: unknown): value is PlanHeader => header().safeParse(value).success

export const isPlanRow = (value: unknown): value is PlanRow => row().safeParse(value).success

/** Whether a ready row names everything that its request needs. */
export function isComplete(
  { operation }: Pick<PlanHeader, 'operation'>,
  { verdict, paymentId, amount, currencyCode, figures }: PlanRow,
): boolean {
  if (verdict !== 'ready') return true
  if (paymentId === undefined || paymentId === '' || figures === undefined) return false
  return operation === 'cancel' || (amount !== undefined && amount > 0 && currencyCode !== undefined)
}
