import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { WITNESS_PROGRAM_SHA256 } from './generated/witness-program-hash.mjs'

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
 * @param {(fault: string) => void} report called if the file is missing or damaged
 * @returns {Promise<WitnessProgram | undefined>} undefined if there is no usable program for these constraints. Then
 *   circom's generator computes the witness.
 */
export async function loadWitnessProgram(r1cs, report) {
  const file = await readFile(PROGRAM).catch(() => undefined)
  if (file === undefined) {
    report('witness/settle.program cannot be read')
    return undefined
  }
  if (createHash('sha256').update(file).digest('hex') !== WITNESS_PROGRAM_SHA256) {
    report('witness/settle.program has been changed')
    return undefined
  }
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
