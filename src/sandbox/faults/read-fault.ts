import { UsageError } from '../../errors.ts'
import { PLAIN_FAULT_KINDS } from './fault.ts'
import type { FaultEffect } from './fault.ts'

/** The effect of a fault as it is written: `drop-after`, `delay=2s`, `status=503`, `429=30`. */
export function readEffect(text: string): FaultEffect {
  const plain = PLAIN_FAULT_KINDS.find((kind) => kind === text)
  if (plain !== undefined) return { kind: plain }
  const [name, value = ''] = text.split('=')
  if (name === 'status') return { kind: 'status', status: Number(value) }
  if (name === '429') return { kind: '429', retryAfter: value === '' ? '1' : value }
  if (name === 'delay') return { kind: 'delay', ms: Number.parseFloat(value) * 1000 }
  throw new UsageError(`There is no fault "${text}"`, { code: 'bad_value', outcome: 'none' })
}
