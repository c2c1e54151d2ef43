import { readFile } from 'node:fs/promises'
import { WITNESS_MODULE } from '@sotto/prover'
import { type SettleInput, toDecimals } from '../settle-input.ts'
import { FIELD, readField } from '../r1cs.ts'

type Generator = (input: Record<string, string | string[]>) => Uint8Array

const { startWitness } = (await import(WITNESS_MODULE)) as {
  startWitness: (wasm: Uint8Array) => Promise<Generator>
}

const started = new Map<string, Promise<Generator>>()

const start = async (wasm: string): Promise<Generator> => startWitness(await readFile(wasm))

/**
 * Runs a witness generator and returns the wires' values as bytes. The generator is compiled once.
 *
 * @throws Error with code 4 if the input breaks a rule that the generator asserts.
 */
export async function runGenerator(input: SettleInput, wasm: string): Promise<Uint8Array> {
  if (!started.has(wasm)) started.set(wasm, start(wasm))
  const generator = await started.get(wasm)!
  return generator(toDecimals(input))
}

/** The values of all wires. @throws as `runGenerator`. */
export async function calculateWitness(input: SettleInput, wasm: string): Promise<bigint[]> {
  const values = Buffer.from(await runGenerator(input, wasm))
  return Array.from({ length: values.length / 32 }, (_, wire) => readField(values, wire * 32))
}

/** Writes these values as the bytes of a .wtns file, which snarkjs can check. */
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
