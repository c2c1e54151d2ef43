import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))
const OURS = ['sdk', 'contract', 'protocol']
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: [],
}

let folder: string
const programs = ['typed-use.ts']

const report = (diagnostics: readonly ts.Diagnostic[]) =>
  diagnostics.map(({ file, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')
    return `${file?.fileName.replace(folder, '') ?? ''}: ${text}`
  })

/** Lays out the packages as a registry would deliver them: declarations only, no sources. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-partner-'))
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@sotto'), { recursive: true })
  for (const name of ['@solana', '@solana-program', '@noble', 'zod', 'poseidon-lite']) {
    await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
  const program = ts.createProgram(
    [
      'contract/index.ts',
      'protocol/index.ts',
      'sdk/index.ts',
      'sdk/server.ts',
      'sdk/wallet.ts',
    ].map((path) => join(repository, 'packages', path)),
    {
      ...options,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      declaration: true,
      // The check of the whole repository does that.
      noCheck: true,
      emitDeclarationOnly: true,
      rootDir: join(repository, 'packages'),
      outDir: join(modules, '@sotto'),
    },
  )
  const { diagnostics } = program.emit()
  expect(report(diagnostics)).toEqual([])
  for (const name of OURS) {
    const text = await readFile(join(repository, 'packages', name, 'package.json'), 'utf8')
    const manifest = JSON.parse(text) as { exports: Record<string, string> }
    const exports = Object.entries(manifest.exports).map(([path, source]) => [
      path,
      { types: source.replace(/\.ts$/, '.d.ts') },
    ])
    const delivered = { ...manifest, exports: Object.fromEntries(exports) as object }
    await writeFile(join(modules, '@sotto', name, 'package.json'), JSON.stringify(delivered))
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await cp(join(repository, 'packages/sdk/tests/typed-use.ts'), join(folder, 'typed-use.ts'))
  for (const [index, piece] of (await documentedCode()).entries()) {
    await writeFile(join(folder, `documented-${index}.ts`), piece)
    programs.push(`documented-${index}.ts`)
  }
})
afterAll(() => rm(folder, { recursive: true }))

/** Every piece of TypeScript in docs/sdk.md; each is a module of its own. */
async function documentedCode(): Promise<string[]> {
  const page = await readFile(join(repository, 'docs/sdk.md'), 'utf8')
  const pieces = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, piece]) => piece ?? '')
  expect(pieces.length).toBeGreaterThan(3)
  return pieces
}

const { ModuleKind, ModuleResolutionKind } = ts
describe.each([
  ['bundler', ModuleKind.ESNext, ModuleResolutionKind.Bundler],
  ['node16', ModuleKind.Node16, ModuleResolutionKind.Node16],
  ['nodenext', ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
] as const)('a project that resolves by %s', (_, module, moduleResolution) => {
  it('compiles against the package as it is delivered, documented code included', () => {
    const files = programs.map((name) => join(folder, name))
    const compiler = { ...options, module, moduleResolution, noEmit: true }
    const program = ts.createProgram(files, compiler)
    const loaded = program.getSourceFiles().map(({ fileName }) => fileName)
    expect(loaded.some((path) => path.endsWith('@sotto/sdk/wallet.d.ts'))).toBe(true)
    expect(loaded.filter((path) => /\/packages\/.*(?<!\.d)\.ts$/.test(path))).toEqual([])
    expect(report(ts.getPreEmitDiagnostics(program))).toEqual([])
  })
})
