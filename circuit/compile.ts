import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root. circom runs in this folder, because its sandbox can't read outside its working folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The files that one compilation wrote. */
export interface Compiled {
  r1cs: string
  sym: string
  wasm: string
}

/**
 * Options of tests and of `generate-witness-program.ts`. A key is always made from a compilation without these options.
 */
export interface CompileOptions {
  simplification?: '--O0' | '--O1' | '--O2'
  /**
   * The files to write. Writing the constraints of an unsimplified circuit takes a long time, so callers request the
   * constraints only if they need them.
   */
  outputs?: ('r1cs' | 'wasm')[]
  /** The folder that contains `circomlib/`, relative to the repository's root. */
  library?: string
}

/**
 * Compiles a circuit inside the repository, by default with circom's full simplification (`--O2`). Without
 * simplification, the settle circuit would have more than 2^14 rows. The same source always gives the same bytes.
 *
 * @throws Error with circom's own report if the circuit doesn't compile.
 */
export async function compileCircuit(
  source: string,
  outputFolder: string,
  options: CompileOptions = {},
): Promise<Compiled> {
  await mkdir(outputFolder, { recursive: true })
  const args = [
    createRequire(import.meta.url).resolve('circom2/cli.js'),
    relative(ROOT, source),
    ...['--sym', options.simplification ?? '--O2'],
    ...(options.outputs ?? ['r1cs', 'wasm']).map((output) => `--${output}`),
    ...['-l', options.library ?? 'node_modules', '-o', relative(ROOT, outputFolder)],
  ]
  const report = await runNode(args)
  if (!report.includes('Everything went okay')) throw new Error(`circom failed:\n${report}`)
  const name = basename(source, '.circom')
  return {
    r1cs: join(outputFolder, `${name}.r1cs`),
    sym: join(outputFolder, `${name}.sym`),
    wasm: join(outputFolder, `${name}_js`, `${name}.wasm`),
  }
}

function runNode(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    const report: string[] = []
    child.stdout.on('data', (chunk: Buffer) => report.push(chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => report.push(chunk.toString()))
    child.on('error', reject)
    child.on('close', () => resolve(report.join('')))
  })
}
