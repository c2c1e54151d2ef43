import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { formatted } from '../formatted.ts'
import ts from 'typescript'
import { contractTypes } from './contract-types.ts'
import { packagesRoot, SURFACES } from './surfaces.ts'

const CONTRACT = 'contract/index.d.ts'
/** Matches the module names in `import … from '…'` and `export … from '…'`. */
const SPECIFIER = /(\bfrom\s+|\bimport\()'([^']+)'/g
const CONTRACT_IMPORT = /\b(?:import|export)\s+type\s*\{([^}]*)\}\s*from\s*'@sotto\/contract'/g

function emit(): { declarations: Map<string, string>; program: ts.Program } {
  const entries = ['contract/index', 'protocol/index', 'recovery/index']
  for (const name of Object.values(SURFACES)) entries.push(`sdk/${name}`)
  const program = ts.createProgram(
    entries.map((entry) => path.join(packagesRoot, `${entry}.ts`)),
    {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      types: [],
      declaration: true,
      emitDeclarationOnly: true,
      // Types aren't checked here, because `npm run check` checks the types of the whole repository.
      noCheck: true,
      rootDir: packagesRoot,
      outDir: '/',
    },
  )
  const declarations = new Map<string, string>()
  const { diagnostics } = program.emit(undefined, (name, text) =>
    declarations.set(name.replace(/^\//, ''), text),
  )
  const [problem] = diagnostics
  if (problem !== undefined) {
    throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'))
  }
  return { declarations, program }
}

/** The declaration file for a module name in the file `from`; undefined if the module isn't ours. */
function targetOf(from: string, specifier: string): string | undefined {
  const ours = /^@sotto\/(contract|protocol|recovery)$/.exec(specifier)
  if (ours !== null) return `${ours[1]}/index.d.ts`
  if (!specifier.startsWith('.')) return undefined
  return path.posix.join(path.posix.dirname(from), specifier).replace(/(?<!\.d)\.ts$/, '.d.ts')
}

function pointedAt(from: string, text: string): string {
  return text.replaceAll(SPECIFIER, (whole, lead: string, specifier: string) => {
    const target = targetOf(from, specifier)
    if (target === undefined) return whole
    const relative = path.posix.relative(path.posix.dirname(from), target)
    const file = relative.replace(/\.d\.ts$/, '.js')
    return `${lead}'${file.startsWith('.') ? file : `./${file}`}'`
  })
}

/**
 * Writes the declaration files that the public files import. Names of our own packages are replaced by relative paths.
 * The function writes only those types of the contract that are used, each in full.
 */
export async function declare(folder: string): Promise<void> {
  const { declarations, program } = emit()
  const used = new Set<string>()
  const waiting = Object.values(SURFACES).map((name) => `sdk/${name}.d.ts`)
  const written = new Set<string>()
  const write = async (name: string, text: string) => {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (written.has(name) || name === CONTRACT) continue
    written.add(name)
    const text = declarations.get(name)
    if (text === undefined) throw new Error(`there is no declaration ${name}`)
    for (const [, names = ''] of text.matchAll(CONTRACT_IMPORT)) {
      for (const one of names.split(',')) used.add(one.replace(/\bas\b.*/, '').trim())
    }
    for (const [, , specifier = ''] of text.matchAll(SPECIFIER)) {
      const target = targetOf(name, specifier)
      if (target !== undefined) waiting.push(target)
    }
    await write(name, pointedAt(name, text))
  }
  used.delete('')
  const source = program.getSourceFile(path.join(packagesRoot, 'contract/index.ts'))
  if (source === undefined) throw new Error('the contract was not read')
  const types = contractTypes(program.getTypeChecker(), source, used)
  await write(CONTRACT, await formatted('contract.ts', types, { semi: false, singleQuote: true }))
}
