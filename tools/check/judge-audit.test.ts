import { expect, it } from 'vitest'
import { judgeAudit } from './judge-audit.ts'

const found = (severity: string) => ({
  vulnerabilities: {
    http: { severity, via: [{ title: 'Requests are smuggled', url: 'https://example.com/1' }] },
    framework: { severity, via: ['http'] },
  },
  metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, [severity]: 2, total: 2 } },
})

it('fails on high and critical vulnerabilities and names the package', () => {
  for (const severity of ['high', 'critical']) {
    expect(judgeAudit(JSON.stringify(found(severity))).problems).toEqual([
      `http: ${severity}, Requests are smuggled https://example.com/1`,
      `framework: ${severity}, by http`,
    ])
  }
})

it('counts less severe vulnerabilities and passes', () => {
  const judged = judgeAudit(`npm warn something\n${JSON.stringify(found('moderate'))}\n`)
  expect(judged).toEqual({ problems: [], note: '2 moderate' })
})

it('passes if there is no known vulnerability', () => {
  const none = { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0, high: 0 } } }
  expect(judgeAudit(JSON.stringify(none))).toEqual({ problems: [], note: 'no known vulnerability' })
})

it.each([
  [
    'a registry without audits',
    '{"message":"405 Method Not Allowed","error":{"summary":""}}',
    '405',
  ],
  ['no network', '{"error":{"summary":"request failed"}}', 'request failed'],
  ['no answer', '', 'said nothing'],
  ['something else', 'Killed', 'Killed'],
])('reports the check as skipped: %s', (_, output, reason) => {
  const { problems, note, skipped } = judgeAudit(output)
  expect({ problems, note }).toEqual({ problems: [], note: undefined })
  expect(skipped).toMatch(/^NOT ASKED: known vulnerabilities were not looked up/)
  expect(skipped).toContain(reason)
})
