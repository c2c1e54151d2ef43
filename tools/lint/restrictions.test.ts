import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runCaptured } from '../check/run-tool.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { misleadingName } from './file-names.js'
import plugin, { restrictions } from './restrictions.js'

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

const folder = mkdtempSync(path.join(tmpdir(), 'sotto-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The linter's findings for all examples, from one run. The name of an example's file is its index. */
const findings = lint([...Object.values(refused).flat(), ...accepted])

test('every restriction of code has an example that breaks it', () => {
  expect([...Object.keys(refused), 'file-name'].sort()).toEqual(Object.keys(plugin.rules).sort())
})

for (const [name, codes] of Object.entries(refused)) {
  test.each(codes)(`${name} refuses %s`, async (code) => {
    expect((await findings).get(code)).toContain(`sotto(${name})`)
  })
}

test.each(accepted)('no restriction refuses %s', async (code) => {
  expect((await findings).get(code)).toEqual([])
})

test('every restriction is switched on for service code', () => {
  const on = restrictions.flatMap(({ rules }) => Object.keys(rules))
  expect(on.sort()).toEqual(
    Object.keys(plugin.rules)
      .map((name) => `sotto/${name}`)
      .sort(),
  )
})

test.each([
  'tools/Bad/run.ts',
  'tools/read_all.ts',
  'tools/utils/run.ts',
  'tools/ci-helpers.test.ts',
])('refuses the name %s', (file) => expect(misleadingName(file)).toBeDefined())

test.each([
  'tools/lint/file-names.js',
  '.dependency-cruiser.cjs',
  'packages/a2/calibre.long.test.ts',
])('accepts the name %s', (file) => expect(misleadingName(file)).toBeUndefined())

test('the check finds an unawaited promise, a type error and a broken restriction', async () => {
  const place = path.join(folder, 'whole')
  mkdirSync(place)
  const compilerOptions = { strict: true, types: [], lib: ['es2023'] }
  writeFileSync(path.join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const code = "async function pay() {}\npay()\nexport const paid: number = 'no'\nparseInt('1')\n"
  writeFileSync(path.join(place, 'broken.ts'), code)
  const own = path.join(repositoryRoot, 'oxlint.config.js')
  const plugins = [path.join(repositoryRoot, 'tools/lint/restrictions.js')]
  writeFileSync(
    path.join(place, 'oxlint.config.mjs'),
    `import own from ${JSON.stringify(own)}
     export default { ...own, jsPlugins: ${JSON.stringify(plugins)} }`,
  )
  const found = await run(path.join(place, 'oxlint.config.mjs'), place)
  const rules = found.diagnostics.map(({ code: rule }) => rule)
  expect(rules).toContain('sotto(numbers)')
  expect(rules).toContain('typescript(TS2322)')
  expect(rules).toContain('typescript(no-floating-promises)')
})

interface Report {
  readonly diagnostics: readonly { readonly filename: string; readonly code: string }[]
  readonly number_of_files: number
}

async function run(config: string, target: string): Promise<Report> {
  const linter = path.join(repositoryRoot, 'node_modules/oxlint/bin/oxlint')
  const { output } = await runCaptured(process.execPath, [
    linter,
    '-c',
    config,
    '-f',
    'json',
    target,
  ])
  return JSON.parse(output) as Report
}

async function lint(codes: readonly string[]): Promise<Map<string, string[]>> {
  const names = Object.keys(refused)
  const config = {
    jsPlugins: [path.join(repositoryRoot, 'tools/lint/restrictions.js')],
    categories: { correctness: 'off' },
    rules: Object.fromEntries(names.map((name) => [`sotto/${name}`, 'error'])),
  }
  mkdirSync(path.join(folder, 'code'))
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config))
  for (const [index, code] of codes.entries()) {
    writeFileSync(path.join(folder, 'code', `${index}.ts`), code)
  }
  const report = await run(path.join(folder, 'config.json'), path.join(folder, 'code'))
  expect(report.number_of_files).toBe(codes.length)
  return new Map(
    codes.map((code, index) => {
      const own = report.diagnostics.filter(
        ({ filename }) => path.basename(filename) === `${index}.ts`,
      )
      return [code, own.map((finding) => finding.code)]
    }),
  )
}
