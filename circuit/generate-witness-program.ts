// Writes the program that computes the settle circuit's witness, `packages/prover/witness/settle.program`:
//
//   npx tsx circuit/generate-witness-program.ts
//
// The program is made from the circuit's unsimplified constraints. Its first line names the constraints of the proving
// key and the inputs, as JSON; `wasm/witness` runs the rest. The same circuit always gives the same bytes.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compileCircuit } from './compile.ts'
import { CIRCUIT, WITNESS_PROGRAM, WORK } from './manifest.ts'
import { makeWitnessProgram } from './witness-program/make-program.ts'

const [simplified, plain] = [
  await compileCircuit(CIRCUIT, join(WORK, 'simplified'), { outputs: ['r1cs'] }),
  await compileCircuit(CIRCUIT, join(WORK, 'plain'), { simplification: '--O0', outputs: ['r1cs'] }),
]
await mkdir(dirname(WITNESS_PROGRAM), { recursive: true })
await writeFile(WITNESS_PROGRAM, await makeWitnessProgram(simplified, plain))
