import { PROVER_MODULE } from '@sotto/prover'
import { readFile } from 'node:fs/promises'
import { FIELD } from '../r1cs.ts'

/** The exports of the prover's module that are needed to run a program. */
interface Module {
  memory: { readonly buffer: ArrayBuffer }
  reserve: (bytes: number) => number
  load_program: (bytes: number) => number
  solve: () => number
}

// Node has WebAssembly, but only the type library for browsers declares it.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate: (bytes: Uint8Array) => Promise<{ instance: { exports: unknown } }> }
}

const NUMBER_BYTES = 32
const BROKEN_RULE = 4

/**
 * Loads a witness program without its first line into the prover's own module. Returns a function that runs the program
 * on input numbers in the circuit's order. That function returns the bytes of the witness, or undefined if the inputs
 * break a rule.
 *
 * @param values number of values in a witness
 */
export async function startProgram(
  code: Uint8Array,
  values: number,
): Promise<(numbers: readonly bigint[]) => Uint8Array | undefined> {
  const { instance } = await WebAssembly.instantiate(await readFile(PROVER_MODULE))
  const module = instance.exports as Module
  const write = (bytes: Uint8Array, size: number) => {
    const at = module.reserve(size)
    new Uint8Array(module.memory.buffer).set(bytes, at)
    return at
  }
  write(code, code.length)
  const inputs = module.load_program(code.length)
  return (numbers) => {
    if (numbers.length !== inputs) throw new Error(`The program has ${inputs} inputs.`)
    const size = (values + 2) * NUMBER_BYTES
    const at = write(Buffer.concat([0n, 0n, ...numbers].map(toBytes)), size)
    const result = module.solve()
    if (result === BROKEN_RULE) return undefined
    if (result !== 0) throw new Error(`The module answers ${result}.`)
    const start = at + 2 * NUMBER_BYTES
    return new Uint8Array(module.memory.buffer, start, values * NUMBER_BYTES).slice()
  }
}

function toBytes(number: bigint): Uint8Array {
  if (number < 0n || number >= FIELD) throw new Error('Not in the field.')
  return Buffer.from(number.toString(16).padStart(2 * NUMBER_BYTES, '0'), 'hex').reverse()
}
