import type { SmokeStep } from '../../../views/top/smoke.ts'

/** The steps as a JUnit XML report. */
export function junitReport(steps: readonly SmokeStep[]): string {
  const count = (outcome: string) => steps.filter((step) => step.outcome === outcome).length
  const total = steps.reduce((sum, step) => sum + step.durationMs, 0)
  const cases = steps.map((step) => {
    const head = `    <testcase classname="pay.smoke" name="${escape(step.title)}" time="${seconds(step.durationMs)}"`
    if (step.outcome === 'skipped') return `${head}><skipped message="${escape(step.says)}"/></testcase>`
    if (step.outcome === 'failed')
      return `${head}><failure message="${escape(step.says)}">${escape(step.command)} (exit ${step.exitCode})</failure></testcase>`
    return `${head}/>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="pay smoke" tests="${steps.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${seconds(total)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escape = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '?')
