import { createHash, randomUUID } from 'node:crypto'
import { readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { type CompileOptions, type Compiled, ROOT, compileCircuit } from '../compile.ts'
import { WORK } from '../manifest.ts'

/**
 * Compiles a circuit for a test, or returns the result of an earlier run that compiled the same bytes with the same
 * compiler.
 *
 * The folder of a compilation gets its final name only when the compilation is complete. So test files that run at the
 * same time never read an unfinished compilation. Only tests may use this function. Programs that make or verify a key
 * must compile the circuit themselves.
 */
export async function compileOnce(source: string, options: CompileOptions = {}): Promise<Compiled> {
  const folder = join(WORK, 'compiled', await keyOf(source, options))
  const isThere = await stat(folder).catch(() => undefined)
  if (isThere === undefined) await compileInto(folder, source, options)
  const name = basename(source, '.circom')
  return {
    r1cs: join(folder, `${name}.r1cs`),
    sym: join(folder, `${name}.sym`),
    wasm: join(folder, `${name}_js`, `${name}.wasm`),
  }
}

async function compileInto(folder: string, source: string, options: CompileOptions): Promise<void> {
  const unfinished = `${folder}.${randomUUID()}`
  await compileCircuit(source, unfinished, options)
  try {
    await rename(unfinished, folder)
  } catch {
    // Another test file finished first and made the same bytes.
    await rm(unfinished, { recursive: true })
  }
}

/** A hash of all inputs of the compilation. */
async function keyOf(source: string, options: CompileOptions): Promise<string> {
  const library = join(ROOT, options.library ?? 'node_modules', 'circomlib/circuits')
  const names = (await readdir(library)).filter((name) => name.endsWith('.circom')).sort()
  const compiler = createRequire(import.meta.url).resolve('circom2/package.json')
  const hash = createHash('sha256').update(JSON.stringify([basename(source), options, names]))
  for (const path of [compiler, source, ...names.map((name) => join(library, name))]) {
    const bytes = await readFile(path)
    hash.update(`${bytes.length} `).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}
