import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { SettleInput } from '../settle-input.ts'
import { ROOT } from '../compile.ts'
import { CIRCUIT, WORK } from '../manifest.ts'
import { readSymbols } from '../symbols.ts'
import { compileOnce } from './compile-once.ts'
import { calculateWitness } from './witness.ts'

/** Computes the values of the real circuit's wires for an input that may break the circuit's rules. */
export type ForgeWitness = (input: SettleInput) => Promise<bigint[]>

/**
 * Builds a generator of rule-breaking witnesses.
 *
 * circom's own generator stops at the first broken `===`. So this function compiles a copy of the circuit and of
 * circomlib without any `===`. The copy isn't simplified, so it computes a value for every signal. The function then
 * assigns these values to the real circuit's wires by signal name. It replaces each `===` statement by blanks of the
 * same length, because circom names anonymous components after their position in the file.
 */
export async function compileRelaxed(symbols: ReadonlyMap<string, number>): Promise<ForgeWitness> {
  const folder = join(WORK, 'relaxed')
  const library = join(folder, 'circomlib/circuits')
  await mkdir(library, { recursive: true })
  const source = join(ROOT, 'node_modules/circomlib/circuits')
  for (const name of await readdir(source)) {
    if (name.endsWith('.circom')) await copyBlanked(join(source, name), join(library, name))
  }
  await copyBlanked(CIRCUIT, join(folder, 'settle.circom'))
  const compiled = await compileOnce(join(folder, 'settle.circom'), {
    simplification: '--O0',
    outputs: ['wasm'],
    library: relative(ROOT, folder),
  })
  const relaxed = await readSymbols(compiled.sym)
  return async (input) => {
    const values = await calculateWitness(input, compiled.wasm)
    const witness = [1n]
    for (const [name, wire] of symbols) {
      const from = relaxed.get(name)
      if (from === undefined) throw new Error(`The relaxed circuit has no signal ${name}.`)
      witness[wire] = values[from]!
    }
    return witness
  }
}

async function copyBlanked(from: string, to: string): Promise<void> {
  const text = await readFile(from, 'utf8')
  const blank = (piece: string) => piece.replace(/[^\n]/g, ' ')
  // Removes comments first, because some contain a line of equals signs that looks like a statement.
  const code = text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*/g, blank)
  const lines = code.split(/(?<=;)/)
  const kept = lines.map((line) => (line.includes('===') ? line.replace(STATEMENT, blank) : line))
  await writeFile(to, kept.join(''))
}

// Matches the text from the last brace or line break before the `===` to the statement's semicolon. The brace may open
// a block.
const STATEMENT = /[^{}\n]*===[^]*$/
