import { expect, test } from 'vitest'
import { generatedMarkerOf } from './checks/generated-marker.ts'
import { tidyChecks } from './checks.ts'
import { treeOf, type TidyCheck } from './tree.ts'

type Files = Record<string, string>
type Case = { refused: Record<string, Files>; accepted: Record<string, Files> }

const lock = (packages: unknown) => ({ 'package-lock.json': JSON.stringify({ packages }) })
// The path is built from parts, because this file itself must not break the rule.
const someonesHome = ['', 'home', 'ada', 'sotto'].join('/')
const title = '"pays once"'
const paying = { 'testing/pay.test.ts': '' }
const titles = new Map([['testing/pay.test.ts', ['pays once']]])
const alerting = {
  'packages/server/src/domain/log-names.ts':
    "const ALERT_CODES = [\n  'vault_empty',\n] as const\n",
}
const errors = 'program/ERRORS.md'
const refusing = {
  'packages/protocol/src/program/generated/error-codes.ts':
    "{\n  code: 7000,\n  name: 'Closed',\n}",
}
const runbook = (drill: string) =>
  ['# x', 'Cause', 'Look', 'Do', 'Verify', 'Drill'].join('\n## ') + `\n${drill}`

const cases: Record<string, Case> = {
  'machine-paths': {
    refused: {
      'a home': { 'docs/a.md': `see ${someonesHome}/x` },
      'a working folder, in a binary': { 'program/artefacts/a.so': `\0${'/wo' + 'rk/main'}\0` },
    },
    accepted: {
      'a system folder': { 'docs/a.md': 'see /usr/bin/env, /home and src/work/a' },
      'a path on a site': { 'docs/a.md': `see https://example.org${someonesHome}` },
    },
  },
  lockfile: {
    refused: {
      'no lockfile': {},
      'a download address': lock({ 'node_modules/a': { resolved: 'https://example.org/a.tgz' } }),
      'a platform left out': lock({ 'node_modules/a': { optionalDependencies: { 'a-mac': '1' } } }),
    },
    accepted: {
      'a workspace': lock({ 'node_modules/a': { resolved: 'packages/a', link: true } }),
      'every platform': lock({
        'node_modules/a': { optionalDependencies: { 'a-mac': '1' } },
        'node_modules/a-mac': {},
      }),
    },
  },
  'markdown-paths': {
    refused: {
      'a name in code style': { 'README.md': 'see `docs/gone.md`' },
      'a command': { 'README.md': 'node tools/gone.mjs demo' },
      'a broken link relative to the page': { 'docs/a.md': '[b](docs/b.md)', 'docs/b.md': '' },
      'a pattern': { 'README.md': 'see `packages/*/gone.ts`', 'packages/a/index.ts': '' },
    },
    accepted: {
      'a link': {
        'docs/a.md': '[b](./b.md#part) [c](../LICENSE) [d](https://e.org/f)',
        'docs/b.md': '',
        LICENSE: '',
      },
      'a folder': { 'README.md': 'in `docs/`', 'docs/b.md': '' },
      'a pattern': { 'README.md': 'see `packages/*/index.ts`', 'packages/a/index.ts': '' },
      'a folder that a build writes': { 'README.md': '`program/target/deploy`' },
    },
  },
  'decision-numbers': {
    refused: {
      'two decisions with one number': {
        'docs/decisions/0055-a.md': '# 55. A',
        'docs/decisions/0055-b.md': '# 55. B',
      },
      'a title with another number': { 'docs/decisions/0055-a.md': '# 54. A' },
    },
    accepted: {
      'a number for each': {
        'docs/decisions/0055-a.md': '# 55. A',
        'docs/decisions/0056-b.md': '# 56. B',
      },
    },
  },
  'invariant-tests': {
    refused: {
      'no page': {},
      'no invariant on it': { 'docs/invariants.md': '# Invariants' },
      'no test named': { 'docs/invariants.md': '## I1 Once', ...paying },
      'a file without a title': { 'docs/invariants.md': '## I1\n`testing/pay.test.ts`', ...paying },
      'a file that is missing': {
        'docs/invariants.md': `| I1 | \`testing/pay.test.ts\` ${title} |`,
      },
      'a title that is missing': {
        'docs/invariants.md': '## I1\n`testing/pay.test.ts` "pays twice"',
        ...paying,
      },
      'a second entry without a test': {
        'docs/invariants.md': `## I1\n\`testing/pay.test.ts\` ${title}\n## I2`,
        ...paying,
      },
    },
    accepted: {
      'a heading': {
        'docs/invariants.md': `## I1 Once\n\n\`testing/pay.test.ts\`: ${title}`,
        ...paying,
      },
      'a row': {
        'docs/invariants.md': `| **I1** | x | \`testing/pay.test.ts\` ${title} |`,
        ...paying,
      },
    },
  },
  'attack-tests': {
    refused: {
      'no page': {},
      'an attack that names no test': {
        'docs/security/threat-model.md': `| A1 | x | \`testing/pay.test.ts\` ${title} |\n| A2 | y |`,
        ...paying,
      },
      'a title that is missing': {
        'docs/security/threat-model.md': '| A1 | `testing/pay.test.ts` "pays twice" |',
        ...paying,
      },
    },
    accepted: {
      'a row': {
        'docs/security/threat-model.md': `| A1 | x | \`testing/pay.test.ts\` ${title} |`,
        ...paying,
      },
    },
  },
  'error-tests': {
    refused: {
      'no error': {},
      'no page': refusing,
      'an error left out': { ...refusing, [errors]: '| E7001 | Other |' },
      'an error that no test provokes': { ...refusing, [errors]: '| E7000 | Closed | |' },
      'a test that is missing': {
        ...{ ...refusing, ...paying },
        [errors]: '| E7000 | Closed | `testing/pay.test.ts` "pays twice" |',
      },
    },
    accepted: {
      'a row': {
        ...{ ...refusing, ...paying },
        [errors]: `| E7000 | Closed | \`testing/pay.test.ts\` ${title} |`,
      },
    },
  },
  'contract-tests': {
    refused: {
      'no page': {},
      'no sentence on it': { 'docs/contract.md': '# Contract', ...paying },
      'a sentence that names no test': {
        'docs/contract.md': `- **C1** x\n  \`testing/pay.test.ts\` ${title}\n- **C2** y`,
        ...paying,
      },
      'a title that is missing': {
        'docs/contract.md': '- **C1** x\n  `testing/pay.test.ts` "pays twice"',
        ...paying,
      },
    },
    accepted: {
      'a list': {
        'docs/contract.md': `- **C1** x\n  \`testing/pay.test.ts\` ${title}`,
        ...paying,
      },
    },
  },
  'alert-runbooks': {
    refused: {
      'no alert': {},
      'an alert without a page': { ...alerting },
      'a page without a drill': { ...alerting, 'docs/runbooks/vault-empty.md': runbook('') },
      'a page without a section': {
        ...alerting,
        ...paying,
        'docs/runbooks/vault-empty.md': `\n## Drill\n\`testing/pay.test.ts\` ${title}`,
      },
      'a drill that is missing': {
        ...alerting,
        ...paying,
        'docs/runbooks/vault-empty.md': runbook('`testing/pay.test.ts` "pays twice"'),
      },
    },
    accepted: {
      'a page with a drill': {
        ...alerting,
        ...paying,
        'docs/runbooks/vault-empty.md': runbook(`\`testing/pay.test.ts\` ${title}`),
      },
    },
  },
  'generated-marker': {
    refused: {
      'listed and missing': {},
      'listed without the marker': { 'docs/errors.md': '# Errors' },
      'marked and not listed': {
        'docs/errors.md': '<!-- Generated by x. -->',
        'demo/a.ts': '// Generated by y.',
      },
    },
    accepted: { 'listed and marked': { 'docs/errors.md': '<!-- Generated by x. -->' } },
  },
}

// The test uses its own list, because the repository's list of generated files may change.
const checks = tidyChecks.map((check) =>
  check.name === 'generated-marker' ? generatedMarkerOf(['docs/errors.md']) : check,
)

test('every check has a case that it refuses', () => {
  expect(Object.keys(cases).sort()).toEqual(checks.map((check) => check.name).sort())
})

for (const check of checks) {
  const { refused, accepted } = cases[check.name]!
  test.each(Object.entries(refused))(`${check.name} refuses: %s`, (_, files) => {
    expect(problems(check, files)).not.toEqual([])
  })
  test.each(Object.entries(accepted))(`${check.name} accepts: %s`, (_, files) => {
    expect(problems(check, files)).toEqual([])
  })
}

function problems(check: TidyCheck, files: Files): string[] {
  return check.run(treeOf(files, titles)).map((finding) => `${finding.path}: ${finding.problem}`)
}
