import { Linter } from 'eslint'
import { expect, test } from 'vitest'
import { makeRules, restrictions } from './restrictions.js'

// For each restriction, code that must be refused. No restriction may refuse the code in `accepted`.
const refused: Record<string, string[]> = {
  'wall-clock': ['Date.now()', 'new Date()', 'performance.now()'],
  chance: ['Math.random()', 'randomBytes(16)', 'crypto.randomUUID()', 'c.getRandomValues(b)'],
  timers: ['setTimeout(f, 1)', 'globalThis.setInterval(f, 1)', "import 'node:timers/promises'"],
  terminal: ['console.log(1)'],
  numbers: [
    'Number(x)',
    'parseFloat(x)',
    'parseInt(x, 10)',
    'Number.parseFloat(x)',
    '+x',
    'a.map(Number)',
  ],
  owner: [
    "import { decodeOrder } from '@sotto/protocol'",
    "import { programFactsOf as facts } from '@sotto/protocol'",
  ],
  environment: ['process.env.PORT', "process.env['PORT']"],
  replayable: [
    'crypto.subtle',
    'globalThis.crypto.subtle.digest()',
    "import { webcrypto } from 'crypto'",
  ],
  barrel: ["export * from './a.js'", "export { a } from './a.js'; export * from './b.js'"],
  skipped: ["it.skip('pays', f)", "test.todo('pays')", "describe.only('x', f)"],
}
const accepted = [
  'new Date(ms)',
  'BigInt(x)',
  '+1',
  'clock.now()',
  "import { shownOrder } from '@sotto/protocol'",
  'random.bytes(16)',
  'Number.MAX_SAFE_INTEGER',
  "export { a } from './a.js'; const b = 1",
  "it.skipIf(isRoot)('pays', f)",
]

test('every restriction has an example that breaks it', () => {
  expect(Object.keys(refused).sort()).toEqual(Object.keys(makeRules()).sort())
})

for (const [name, codes] of Object.entries(refused)) {
  test.each(codes)(`${name} refuses %s`, (code) => {
    expect(findings(code).map((finding) => finding.ruleId)).toContain(`sotto/${name}`)
  })
}

test.each(accepted)('nothing refuses %s', (code) => {
  expect(findings(code)).toEqual([])
})

test('every restriction is switched on for service code', () => {
  const on = restrictions.flatMap((entry) => Object.keys('rules' in entry ? entry.rules : {}))
  expect(on.sort()).toEqual(
    Object.keys(refused)
      .map((name) => `sotto/${name}`)
      .sort(),
  )
})

function findings(code: string) {
  const rules = Object.fromEntries(
    Object.keys(refused).map((name) => [`sotto/${name}`, 2 as const]),
  )
  return new Linter().verify(code, [{ plugins: { sotto: { rules: makeRules() } }, rules }])
}
