import { expect, test } from 'vitest'
import { readPeriod } from '../../../../src/pages/dashboard/insights/periods.ts'

const ALL = { span: {}, before: undefined }

test.each([
  [{}, ALL],
  [{ period: 'all' }, ALL],
  [{ period: 'nonsense' }, ALL],
  [{ period: '24h' }, { span: { from: '24h' }, before: { from: '48h', to: '24h' }, step: 'hour' }],
  [{ period: '90d' }, { span: { from: '90d' }, before: { from: '180d', to: '90d' }, step: 'day' }],
  [
    { period: 'custom', from: '2026-03-01', to: '2026-03-02' },
    {
      span: { from: '2026-03-01', to: '2026-03-02' },
      before: { from: '2026-02-27', to: '2026-02-28' },
      beforeName: 'the 2 days before',
      step: 'hour',
    },
  ],
  [{ period: 'custom', from: '2026-03-01', to: '2026-03-01' }, { beforeName: 'the day before' }],
  [{ period: 'custom', from: '2026-03-02', to: '2026-03-01' }, { before: undefined }],
  [
    { period: 'custom', from: '2026-02-31' },
    { ...ALL, step: 'day' },
  ],
  [
    { period: 'custom', to: '2026-03-01' },
    { span: { to: '2026-03-01' }, before: undefined },
  ],
])('%j', (query, expected) => {
  expect(readPeriod(query)).toMatchObject(expected)
})
