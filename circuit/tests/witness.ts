import { readFile } from 'node:fs/promises'
import { wtns } from 'snarkjs'
import { type SettleInput, toDecimals } from '../settle-input.ts'
import { FIELD, readField } from './r1cs.ts'

/**
 * Runs a witness generator.
 *
 * @throws Error if the input breaks a rule that the generator asserts.
 */
export async function calculateWitness(input: SettleInput, wasm: string): Promise<bigint[]> {
  const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' }
  await wtns.calculate(toDecimals(input), wasm, file)
  return readWitness(Buffer.from(file.data ?? []))
}

/** Values of a .wtns file: a header section of 52 bytes, then 32 bytes a wire. */
function readWitness(file: Buffer): bigint[] {
  const values = file.subarray(12 + 12 + 40 + 12)
  return Array.from({ length: values.length / 32 }, (_, wire) => readField(values, wire * 32))
}

/** The bytes of a .wtns file with these values, for snarkjs' own check. */
export function writeWitness(witness: readonly bigint[]): Uint8Array {
  const number = (value: number | bigint, size: number) => {
    const hex = BigInt(value)
      .toString(16)
      .padStart(size * 2, '0')
    return Buffer.from(hex, 'hex').reverse()
  }
  return Buffer.concat([
    Buffer.from('wtns'),
    ...[number(2, 4), number(2, 4)],
    ...[number(1, 4), number(40, 8), number(32, 4), number(FIELD, 32), number(witness.length, 4)],
    ...[number(2, 4), number(witness.length * 32, 8)],
    ...witness.map((value) => number(value, 32)),
  ])
}

/** Wire of every named signal; signals that the compiler replaced by others have none. */
export async function readSymbols(path: string): Promise<Map<string, number>> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  const entries = lines.map((line) => line.split(',')).filter(([, wire]) => wire !== '-1')
  return new Map(entries.map(([, wire, , name]) => [name!, Number(wire)]))
}
