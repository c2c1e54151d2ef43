import { type Compiled } from '../compile.ts'
import { hashFile } from '../manifest.ts'
import { present } from '../present.ts'
import { readRank1System } from '../r1cs.ts'
import { readSymbols } from '../symbols.ts'
import { encodeProgram } from './encode.ts'
import { groupQuotients } from './group-quotients.ts'
import { simplifySteps } from './simplify.ts'
import { solveSystem } from './solve.ts'

/** The files of a compilation from which the program is made. */
type Constraints = Pick<Compiled, 'r1cs' | 'sym'>

/**
 * Makes the program that computes the witness of a circuit.
 *
 * @param simplified the compilation for which the proving key was made
 * @param plain the same circuit without simplification
 */
export async function makeWitnessProgram(
  simplified: Constraints,
  plain: Constraints,
): Promise<Uint8Array> {
  const system = await readRank1System(plain.r1cs)
  const wires = await readSymbols(plain.sym)
  const wanted = [0]
  for (const [name, wire] of await readSymbols(simplified.sym))
    wanted[wire] = present(wires.get(name))
  const inputs = system.publicInputs + system.privateInputs
  const groups = groupQuotients(simplifySteps(solveSystem(system), wanted))
  const head = { r1cs: await hashFile(simplified.r1cs), inputs: nameInputs(wires, inputs) }
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    encodeProgram(groups, inputs, wanted),
  ])
}

/** The names of the circuit's inputs, in order, each with the number of field elements in the input. */
function nameInputs(wires: ReadonlyMap<string, number>, inputs: number): [string, number][] {
  const names = [...wires].filter(([, wire]) => wire >= 1 && wire <= inputs)
  const counts = new Map<string, number>()
  for (const [name] of names.sort(([, one], [, other]) => one - other)) {
    const signal = present(/^main\.(\w+)(?:\[\d+\])?$/.exec(name)?.[1])
    counts.set(signal, (counts.get(signal) ?? 0) + 1)
  }
  return [...counts]
}
