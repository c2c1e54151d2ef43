import { readFile } from 'node:fs/promises'
import { present } from './present.ts'

/** Order of BN254's scalar field. All signals are elements of it. */
export const FIELD = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

/** A sum of wires with their coefficients. */
export type Combination = Map<number, bigint>

/** One row of the system: a · b = c. */
export interface Constraint {
  a: Combination
  b: Combination
  c: Combination
}

/**
 * A compiled circuit's constraints. Wire 0 is the constant 1. It is followed by outputs, public inputs and private
 * inputs.
 */
export interface Rank1System {
  wires: number
  publicInputs: number
  privateInputs: number
  constraints: Constraint[]
}

/** Reduces a number into the field. The number may be negative. */
export const mod = (value: bigint): bigint => ((value % FIELD) + FIELD) % FIELD

/** The multiplicative inverse in the field, by Fermat's little theorem. */
export function invert(value: bigint): bigint {
  let [result, base] = [1n, mod(value)]
  for (let exponent = FIELD - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = mod(result * base)
    base = mod(base * base)
  }
  return result
}

/** The value of a sum of wires for the wires' values in `witness`. */
export function evaluate(combination: Combination, witness: readonly bigint[]): bigint {
  let sum = 0n
  for (const [wire, coefficient] of combination) sum += coefficient * (witness[wire] ?? 0n)
  return mod(sum)
}

/** The indexes of the constraints that a witness doesn't satisfy. */
export function findBroken(system: Rank1System, witness: readonly bigint[]): number[] {
  return system.constraints.flatMap(({ a, b, c }, index) => {
    const product = evaluate(a, witness) * evaluate(b, witness)
    return mod(product - evaluate(c, witness)) === 0n ? [] : [index]
  })
}

/** Reads an .r1cs file (iden3's format, version 1, over BN254). */
export async function readRank1System(path: string): Promise<Rank1System> {
  const file = await readFile(path)
  const sections = findSections(file)
  const header = present(sections.get(1))
  const fieldSize = header.readUInt32LE(0)
  if (fieldSize !== 32 || readField(header, 4) !== FIELD) throw new Error('Not a BN254 circuit.')
  if (header.readUInt32LE(40) !== 0) throw new Error('The circuit has outputs; settle has none.')
  const count = header.readUInt32LE(60)
  const constraints = readConstraints(present(sections.get(2)), count)
  const [publicInputs, privateInputs] = [header.readUInt32LE(44), header.readUInt32LE(48)]
  return { wires: header.readUInt32LE(36), publicInputs, privateInputs, constraints }
}

function findSections(file: Buffer): Map<number, Buffer> {
  if (file.toString('latin1', 0, 4) !== 'r1cs') throw new Error('Not an r1cs file.')
  const sections = new Map<number, Buffer>()
  let at = 12
  for (let left = file.readUInt32LE(8); left > 0; left--) {
    const size = Number(file.readBigUInt64LE(at + 4))
    sections.set(file.readUInt32LE(at), file.subarray(at + 12, at + 12 + size))
    at += 12 + size
  }
  return sections
}

function readConstraints(section: Buffer, count: number): Constraint[] {
  let at = 0
  const readCombination = (): Combination => {
    const terms = section.readUInt32LE(at)
    at += 4
    const combination: Combination = new Map()
    for (let i = 0; i < terms; i++) {
      combination.set(section.readUInt32LE(at), readField(section, at + 4))
      at += 36
    }
    return combination
  }
  return Array.from({ length: count }, () => ({
    a: readCombination(),
    b: readCombination(),
    c: readCombination(),
  }))
}

/** Reads a field element of an .r1cs file: 32 bytes, least significant first. */
export function readField(bytes: Buffer, at: number): bigint {
  return BigInt(
    `0x${Buffer.from(bytes.subarray(at, at + 32))
      .reverse()
      .toString('hex')}`,
  )
}
