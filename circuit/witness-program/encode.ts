import { type Combination, FIELD } from '../r1cs.ts'
import type { Group } from './group-quotients.ts'
import { type Step, targetsOf } from './step.ts'

/** The code of each kind of step. `wasm/witness` uses the same codes. */
const CODES = { product: 0, quotients: 1, bits: 2, check: 3 } as const
/**
 * The flag of a quotient that is zero if its divisor is zero, for any numerator. Without this flag, the program refuses
 * the input if the divisor is zero and the numerator isn't.
 */
const FREE = 1

/**
 * Writes a program for `wasm/witness`. Integers are LEB128; numbers of the field are 32 little-endian bytes. The first
 * two coefficients in the list are always 1 and -1, so the program contains only the coefficients after them.
 *
 * @param inputs the number of input wires, which follow wire 0
 * @param wanted the wires whose values are the witness, in order
 */
export function encodeProgram(
  groups: readonly Group[],
  inputs: number,
  wanted: readonly number[],
): Uint8Array {
  const writer = new Writer(inputs)
  const steps = groups.map((group) =>
    Array.isArray(group) ? writer.quotients(group) : writer.step(group),
  )
  const outputs = wanted.map((wire) => writer.slot(wire))
  const { coefficients, slots } = writer
  const head = [slots, inputs, coefficients.length, outputs.length, steps.length]
  return Buffer.concat([
    encodeIntegers(head),
    ...coefficients.map(encodeNumber),
    encodeIntegers(outputs),
    ...steps.map(encodeIntegers),
  ])
}

/**
 * Gives each wire a slot and each coefficient an index. Slots have the order in which wires get their values. Indexes
 * have the order of first use.
 */
class Writer {
  readonly coefficients: bigint[] = []
  readonly #places = new Map([
    [1n, 0],
    [FIELD - 1n, 1],
  ])
  readonly #slots = new Map<number, number>()

  constructor(inputs: number) {
    for (let wire = 0; wire <= inputs; wire += 1) this.#slots.set(wire, wire)
  }

  get slots(): number {
    return this.#slots.size
  }

  slot(wire: number): number {
    const slot = this.#slots.get(wire)
    if (slot === undefined) throw new Error(`Wire ${wire} is used before it is assigned.`)
    return slot
  }

  #assign(wire: number): number {
    this.#slots.set(wire, this.#slots.size)
    return this.#slots.size - 1
  }

  #place(coefficient: bigint): number {
    const place = this.#places.get(coefficient) ?? this.#places.size
    if (place === this.#places.size) {
      this.#places.set(coefficient, place)
      this.coefficients.push(coefficient)
    }
    return place
  }

  #sum(sum: Combination): number[] {
    const terms = [...sum].map(([wire, coefficient]) => [this.#place(coefficient), this.slot(wire)])
    return [sum.size, ...terms.flat()]
  }

  quotients(group: Exclude<Group, Step>): number[] {
    const sums = group.flatMap((step) => [
      step.kind === 'inverse' ? FREE : 0,
      ...this.#sum(step.numerator),
      ...this.#sum(step.divisor),
      ...this.#sum(step.kind === 'inverse' ? new Map() : step.rest),
    ])
    const targets = group.flatMap(targetsOf).map((wire) => this.#assign(wire))
    return [CODES.quotients, group.length, ...sums, ...targets]
  }

  step(step: Step): number[] {
    if (step.kind === 'product') {
      const sums = [step.a, step.b, step.rest].flatMap((sum) => this.#sum(sum))
      return [CODES.product, ...sums, this.#assign(step.target)]
    }
    if (step.kind === 'check') {
      return [CODES.check, ...[step.a, step.b, step.c].flatMap((sum) => this.#sum(sum))]
    }
    if (step.kind !== 'bits') return this.quotients([step])
    const sum = this.#sum(step.sum)
    const targets = step.targets.flatMap(({ wire, bit }) => [bit, this.#assign(wire)])
    return [CODES.bits, ...sum, step.targets.length, ...targets]
  }
}

function encodeIntegers(values: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (let value of values) {
    for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80)
    bytes.push(value)
  }
  return Uint8Array.from(bytes)
}

const encodeNumber = (number: bigint): Uint8Array =>
  Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()
