import { build } from 'esbuild'
import { execFile } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installDelivered, type PartnerProject } from './delivered-package.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const LIMIT_BYTES = 84 * 1_024

let project: PartnerProject
const programs = ['typed-use.ts']

beforeAll(async () => {
  project = await installDelivered()
  await cp(
    join(repository, 'packages/sdk/tests/typed-use.ts'),
    join(project.folder, 'typed-use.ts'),
  )
  for (const page of ['docs/sdk.md', 'packages/sdk/README.md']) {
    for (const piece of await documentedCode(page)) {
      const name = `documented-${programs.length}.ts`
      await writeFile(join(project.folder, name), piece)
      programs.push(name)
    }
  }
})
afterAll(() => project?.remove())

/** Every TypeScript block on a page. Each block is a separate module. */
async function documentedCode(page: string): Promise<string[]> {
  const text = await readFile(join(repository, page), 'utf8')
  const pieces = [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, piece]) => piece ?? '')
  expect(pieces.length).toBeGreaterThan(0)
  return pieces
}

describe('the package as it is delivered', () => {
  it('contains code, types, readme and licence, and no unpublished package', async () => {
    const entries = await readdir(project.installed, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile())
    const names = files.map(({ parentPath, name }) => join(parentPath, name))
    const surfaces = ['index', 'node', 'server', 'wallet'].flatMap((name) => [
      `${name}.js`,
      `types/sdk/${name}.d.ts`,
    ])
    for (const name of ['package.json', 'README.md', 'LICENSE', ...surfaces]) {
      expect(names).toContain(join(project.installed, name))
    }
    const code = names.filter((name) => /\.js$|\.ts$/.test(name))
    expect(code.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([])
    const texts = await Promise.all(code.map((name) => readFile(name, 'utf8')))
    expect(texts.filter((text) => /from ["'](@sotto\/|zod)/.test(text))).toEqual([])
    const ofNode = code.filter((_, index) => /from ["']node:/.test(texts[index] ?? ''))
    expect(ofNode).toEqual([join(project.installed, 'node.js')])
    const manifest = await readFile(join(project.installed, 'package.json'), 'utf8')
    expect(manifest).not.toMatch(/"private"|"scripts"|@sotto\/(?!sdk")/)
  })

  it('runs in plain Node, and exports the same classes from every entry', async () => {
    const program = `
      import * as all from '@sotto/sdk'
      import { createSottoClient, SottoTransportError } from '@sotto/sdk/server'
      import { OrderRefusedError, verifyOrder } from '@sotto/sdk/wallet'
      const client = createSottoClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', attempts: 1 })
      const unreached = await client.tokens().catch((error) => error)
      const refused = await verifyOrder({ order: { transaction: 'AA' } }).catch((error) => error)
      console.log(JSON.stringify([
        unreached instanceof SottoTransportError && unreached instanceof all.SottoTransportError,
        refused instanceof OrderRefusedError && refused instanceof all.OrderRefusedError,
        refused.refusals[0].code,
      ]))`
    await writeFile(join(project.folder, 'plain.js'), program)
    const { stdout } = await promisify(execFile)(process.execPath, ['plain.js'], {
      cwd: project.folder,
    })
    expect(JSON.parse(stdout)).toEqual([true, true, 'transaction'])
  })

  it.each(['@sotto/sdk', '@sotto/sdk/server', '@sotto/sdk/wallet'])(
    'is bundled for browsers within 84 KB after gzip: %s',
    async (surface) => {
      const result = await build({
        stdin: { contents: `export * from '${surface}'`, resolveDir: project.folder },
        define: { 'process.env.NODE_ENV': '"production"' },
        ...({ bundle: true, minify: true, write: false, logLevel: 'silent' } as const),
        ...({ format: 'esm', platform: 'browser' } as const),
      })
      const { contents, text } = result.outputFiles[0]!
      expect(gzipSync(contents).length).toBeLessThanOrEqual(LIMIT_BYTES)
      expect(/Bearer/.test(text)).toBe(surface !== '@sotto/sdk/wallet')
    },
  )
})

const report = (diagnostics: readonly ts.Diagnostic[]) =>
  diagnostics.map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `${file?.fileName.replace(project.folder, '') ?? ''}: ${text}`
  })

/**
 * The compiler's diagnostics for the partner's code and our declarations. Diagnostics for other packages are ignored.
 */
function diagnose(program: ts.Program): readonly ts.Diagnostic[] {
  const judged = program
    .getSourceFiles()
    .filter(({ fileName }) => !/node_modules\/(?!@sotto\/)/.test(fileName))
  expect(judged.length).toBeGreaterThan(programs.length + 20)
  const told = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]
  for (const file of judged) {
    told.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file))
  }
  return told
}

const { ModuleKind, ModuleResolutionKind } = ts
describe.each([
  ['bundler', ModuleKind.ESNext, ModuleResolutionKind.Bundler],
  ['node16', ModuleKind.Node16, ModuleResolutionKind.Node16],
  ['nodenext', ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
] as const)('a project that resolves by %s', (_, module, moduleResolution) => {
  it('compiles against the package, including documented code and every declaration', () => {
    const program = ts.createProgram(
      programs.map((name) => join(project.folder, name)),
      {
        ...{ module, moduleResolution, noEmit: true, strict: true, skipLibCheck: false },
        exactOptionalPropertyTypes: true,
        target: ts.ScriptTarget.ES2023,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
        types: [],
      },
    )
    const loaded = program.getSourceFiles().map(({ fileName }) => fileName)
    expect(loaded.some((path) => path.endsWith('@sotto/sdk/types/sdk/wallet.d.ts'))).toBe(true)
    expect(loaded.filter((path) => path.startsWith(`${repository}packages/`))).toEqual([])
    expect(report(diagnose(program))).toEqual([])
  })
})
