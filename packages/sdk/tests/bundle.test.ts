import { build, type BuildOptions } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { signPayment } from '@sotto/protocol'

const LIMIT_BYTES = 84 * 1_024
/**
 * Size limit of the bundle for balances. This bundle needs large tables for signatures and for the hashes of notes and
 * payments.
 */
const BALANCE_LIMIT_BYTES = 140 * 1_024

/** The bundle that a partner's bundler would make for browsers, including all imports. */
async function bundle(entry: string, more: BuildOptions = {}) {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(`../${entry}.ts`, import.meta.url))],
    define: { 'process.env.NODE_ENV': '"production"' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
    ...more,
  })
  const { contents, text } = result.outputFiles![0]!
  return { contents, text, inputs: Object.keys(result.metafile!.inputs) }
}

it.each([
  ['index', LIMIT_BYTES],
  ['server', LIMIT_BYTES],
  ['wallet', LIMIT_BYTES],
  ['balance', BALANCE_LIMIT_BYTES],
])(
  'the bundle of %s has at most %i bytes after gzip, no Node built-ins and no schemas',
  async (entry, limit) => {
    // In a bundle for browsers, esbuild refuses every import of a module that is built into Node.
    const { contents, text, inputs } = await bundle(entry)
    expect(gzipSync(contents).length).toBeLessThanOrEqual(limit)
    // The patterns match only real imports. For example, `set("from", …)` is not an import.
    expect(text).not.toMatch(/\bfrom\s*["'][\w@./#]|\bimport\s*\(|\brequire\(|["']node:/)
    expect(
      inputs.filter((path) => /\/zod\/|packages\/(contract|prover|server)\//.test(path)),
    ).toEqual([])
  },
)

it('does not contain code for the API key in the bundle of the entry `wallet`', async () => {
  const { text, inputs } = await bundle('wallet')
  expect(inputs.filter((path) => /sdk\/(server\.ts|src\/client\/)/.test(path))).toEqual([])
  expect(text).not.toMatch(/authorization: *[`"']Bearer/i)
  expect((await bundle('server')).text).toMatch(/Bearer/)
})

it('runs with only the functions that browsers provide', async () => {
  const { text } = await bundle('index', { format: 'iife', globalName: 'sotto' })
  const web = {
    TextEncoder,
    TextDecoder,
    crypto,
    URL,
    URLSearchParams,
    AbortSignal,
    fetch,
    atob,
    btoa,
  }
  const context = createContext({ ...web, setTimeout, clearTimeout })
  runInContext(text, context)
  const kinds = 'Object.values(sotto).map((member) => typeof member)'
  expect(
    runInContext(`${kinds}.filter((kind) => kind === 'function').length`, context),
  ).toBeGreaterThan(10)
  const refusal = 'sotto.verifyOrder({ order: { transaction: "AA" } }).catch((error) => error.name)'
  expect(await runInContext(refusal, context)).toBe('OrderRefusedError')
})

it("signs a balance's payment in a browser exactly as Node does", async () => {
  const { text } = await bundle('../protocol/index', { format: 'iife', globalName: 'sotto' })
  const context = createContext({ TextEncoder, TextDecoder, crypto, atob, btoa, URL })
  runInContext(text, context)
  const hash = 'const poseidon = (inputs) => inputs.reduce((sum, one) => sum * 31n + one) % 997n;'
  const signing = `${hash} const { S, R8 } = sotto.signPayment(poseidon, 77n, 5n); [S, R8.x, R8.y].join()`
  const poseidon = (inputs: readonly bigint[]) =>
    inputs.reduce((sum, one) => sum * 31n + one) % 997n
  const { S, R8 } = signPayment(poseidon, 77n, 5n)
  expect(runInContext(signing, context)).toBe([S, R8.x, R8.y].join())
})
