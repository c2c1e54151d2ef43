import { readFile } from 'node:fs/promises'

/** Written by `circuit/generate-witness-program.ts`. */
const PROGRAM = new URL('../witness/settle.program', import.meta.url)
const NUMBER_BYTES = 32
const NEWLINE = 10

/**
 * A program that the engines `native` and `wasm` run. It computes the witness of one circuit much faster than circom's
 * generator.
 *
 * @typedef {object} WitnessProgram
 * @property {Uint8Array} code
 * @property {(input: Record<string, string | string[]>) => Uint8Array} numbersOf the input's numbers in the circuit's
 *   order, 32 little-endian bytes each
 */

/**
 * Reads the program.
 *
 * @param {string} r1cs SHA-256 of the constraints that the proving key belongs to
 * @returns {Promise<WitnessProgram | undefined>} undefined if there is no program for these constraints. Then circom's
 *   generator computes the witness.
 */
export async function loadWitnessProgram(r1cs) {
  const file = await readFile(PROGRAM).catch(() => Buffer.alloc(0))
  const end = file.indexOf(NEWLINE)
  const head = parseHead(file.subarray(0, Math.max(end, 0)))
  if (head?.r1cs !== r1cs) return undefined
  const names = head.inputs.map(([name]) => name)
  const numbersOf = (input) => Buffer.concat(names.flatMap((name) => input[name]).map(toBytes))
  return { code: file.subarray(end + 1), numbersOf }
}

function parseHead(line) {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

const toBytes = (decimal) =>
  Buffer.from(
    BigInt(decimal)
      .toString(16)
      .padStart(2 * NUMBER_BYTES, '0'),
    'hex',
  ).reverse()
