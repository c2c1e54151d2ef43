import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ALERT_CODES } from '../../packages/server/src/domain/log-names.ts'
import { hasPromtool, promtool, RULES } from './promtool.ts'

const isSkipped = !hasPromtool && process.env['CI'] === undefined
const pathOf = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const textOf = (relative: string) => readFileSync(pathOf(relative), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string
    readonly exp_alerts: readonly unknown[]
  }[]
}
const { groups } = parse(textOf('deploy/prometheus/alerts.yaml')) as {
  groups: { rules: Rule[] }[]
}
const rules = groups.flatMap((group) => group.rules)
const TEST_FILES = ['alerts.test.yaml', 'alerts-of-days.test.yaml', 'alerts-of-outages.test.yaml']
const tests = TEST_FILES.flatMap((name) => {
  const file = parse(textOf(`deploy/prometheus/${name}`)) as { tests: RuleTest[] }
  return file.tests
})

/** The metrics that docs/metrics.md lists. Another test compares this list with a running service. */
const exported = new Set(
  [...textOf('docs/metrics.md').matchAll(/^\| `([a-z_]+)`/gm)].map(([, name = '']) => name),
)
const named = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:sotto|process)_[a-z_]+/g)].map(([name]) =>
    exported.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''),
  )

const dashboard = JSON.parse(textOf('deploy/grafana/sotto.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[]
}
const shown = dashboard.panels.flatMap(({ targets = [] }) =>
  targets.flatMap(({ expr }) => named(expr)),
)

/** The codes in a rule's expression. */
const codesOf = ({ expr }: Rule): string[] => /code=~"([a-z_|]+)"/.exec(expr)?.[1]?.split('|') ?? []

/** The pages to which a rule links: a single page, or one page for each code in its expression. */
function pagesOf(rule: Rule): string[] {
  const { runbook } = rule.annotations
  if (!runbook.includes('{{')) return [runbook]
  return codesOf(rule).map((code) => `docs/runbooks/${code.replaceAll('_', '-')}.md`)
}

it('rules and dashboard use only metrics that the service exports', () => {
  const asked = [...rules.flatMap(({ expr }) => named(expr)), ...shown]
  expect(asked.length).toBeGreaterThan(60)
  expect(asked.filter((name) => !exported.has(name))).toEqual([])
})

it('the dashboard shows every exported metric', () => {
  expect([...exported].filter((name) => !shown.includes(name))).toEqual([])
})

it('every rule has a severity and links to an existing page', () => {
  for (const rule of rules) {
    expect(['critical', 'warning']).toContain(rule.labels.severity)
    const pages = pagesOf(rule)
    expect(pages.length).toBeGreaterThan(0)
    expect(pages.filter((page) => !existsSync(pathOf(page)))).toEqual([])
  }
})

it('every log code that needs an operator is in exactly one rule', () => {
  expect(rules.flatMap(codesOf).sort()).toEqual([...ALERT_CODES].sort())
})

it('every rule has a test in which it fires, and a test in which it does not fire', () => {
  const all = tests.flatMap((one) => one.alert_rule_test)
  for (const { alert } of rules) {
    const own = all.filter(({ alertname }) => alertname === alert)
    expect(own.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true)
    expect(own.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true)
  }
})

it('promtool accepts the rules and passes their tests', { skip: isSkipped }, async () => {
  await promtool('check', 'rules', RULES)
  await promtool('test', 'rules', ...TEST_FILES)
})
