import { Linter } from 'eslint'
import { expect, test } from 'vitest'
import tseslint from 'typescript-eslint'
import { makeRules, restrictions } from './restrictions.js'

// For each restriction: code that it must refuse. The code in `accepted` must pass all restrictions.
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
  money: [
    'interface Quote { readonly amountIn: bigint }',
    'interface Row { readonly networkFee?: bigint | undefined }',
    'const pay = (payout: bigint) => payout',
    'function sum(fees: readonly bigint[]) {}',
    'class Purse { lamports: bigint = 0n }',
    'const start = { holds: (amount: bigint | null) => amount }',
    'type Left = { readonly value: bigint }',
  ],
  environment: ['process.env.PORT', "process.env['PORT']"],
  replayable: [
    'crypto.subtle',
    'globalThis.crypto.subtle.digest()',
    "import { webcrypto } from 'crypto'",
  ],
  barrel: ["export * from './a.js'", "export { a } from './a.js'; export * from './b.js'"],
  brand: ['const paid = 5n as Amount', 'const now = (clock ?? 0n) as UnixSeconds | undefined'],
  skipped: ["it.skip('pays', f)", "test.todo('pays')", "describe.only('x', f)"],
}
const accepted = [
  'interface Quote { readonly amountIn: Amount; readonly leaf: bigint }',
  'const pay = (payout: Amount, settleFee: (gross: Amount) => bigint) => payout',
  'const kind = text as Kind',
  'const isElement = (value: bigint) => value < MODULUS',
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

test.each(accepted)('no restriction refuses %s', (code) => {
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
  const plugins = { sotto: { rules: makeRules() } }
  const languageOptions = { parser: tseslint.parser as Linter.Parser }
  return new Linter().verify(code, [{ plugins, languageOptions, rules }])
}
