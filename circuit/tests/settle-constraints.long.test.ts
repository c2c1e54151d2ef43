import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { wtns } from 'snarkjs'
import { ARTEFACTS, CIRCUIT, WITNESS_PROGRAM, hashFile, readManifest } from '../manifest.ts'
import { POWER } from '../powers-of-tau.ts'
import type { Note, SettleInput } from '../settle-input.ts'
import { readSymbols } from '../symbols.ts'
import { makeWitnessProgram } from '../witness-program/make-program.ts'
import { SUBGROUP_ORDER } from './baby-jubjub.ts'
import { compileOnce } from './compile-once.ts'
import { findOpenWires } from './determined-wires.ts'
import {
  evaluate,
  findBroken,
  invert,
  mod,
  readRank1System,
  type Constraint,
  type Rank1System,
} from '../r1cs.ts'
import { type ForgeWitness, compileRelaxed } from './relaxed-circuit.ts'
import { BALANCE, TRANSFER, deliver, pay, refund } from './sample-notes.ts'
import { justify } from './signature-wires.ts'
import { VIOLATIONS } from './violations.ts'
import { calculateWitness, writeWitness } from './witness.ts'

const { expiry, sender } = TRANSFER
const delivery = deliver(expiry)
const repayment = refund(expiry + 1n)
const payment = pay()

let system: Rank1System
let r1cs: string
let wasm: string
let symbols: Map<string, number>
let forge: ForgeWitness

beforeAll(async () => {
  const compiled = await compileOnce(CIRCUIT)
  r1cs = compiled.r1cs
  wasm = compiled.wasm
  system = await readRank1System(r1cs)
  symbols = await readSymbols(compiled.sym)
  forge = await compileRelaxed(symbols)
})

describe('the committed artefacts belong to the circuit', () => {
  test('constraints and witness generator compile to the pinned hashes', async () => {
    const manifest = await readManifest(ARTEFACTS)
    expect(await hashFile(r1cs)).toBe(manifest.r1cs)
    expect(await hashFile(wasm)).toBe(manifest.files['settle.wasm'])
    expect(await hashFile(join(ARTEFACTS, 'settle.wasm'))).toBe(manifest.files['settle.wasm'])
  })

  test('the committed witness program is the program of this circuit', async () => {
    const simplified = await compileOnce(CIRCUIT)
    const plain = await compileOnce(CIRCUIT, { simplification: '--O0', outputs: ['r1cs'] })
    const program = Buffer.from(await makeWitnessProgram(simplified, plain))
    expect(program.equals(await readFile(WITNESS_PROGRAM))).toBe(true)
  })

  test('the circuit fits the powers of tau', () => {
    expect(system.publicInputs).toBe(10)
    expect(system.constraints.length + system.publicInputs + 1).toBeLessThanOrEqual(2 ** POWER)
  })
})

describe('the helpers of this test', () => {
  test.each([
    ['a delivery', delivery],
    ['a refund', repayment],
    ['a payment', payment],
  ])('build the real witness for the valid input of %s', async (_, input) => {
    expect(await forge(input)).toEqual(await calculateWitness(input, wasm))
  })

  test('accept and refuse the same witnesses as snarkjs', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const check = (witness: bigint[]) => wtns.check(r1cs, writeWitness(witness), logger)
    const good = await forge(delivery)
    expect([await check(good), findBroken(system, good)]).toEqual([true, []])
    const bad = await forge({ ...delivery, root: 1n })
    expect([await check(bad), findBroken(system, bad).length]).toEqual([false, 1])
  })
})

describe('each rule has a constraint of its own', () => {
  const found = new Map<SettleInput, number[]>()
  async function breaks(input: SettleInput): Promise<number[]> {
    const broken = found.get(input) ?? findBroken(system, await forge(input))
    found.set(input, broken)
    return broken
  }

  test.each(Object.entries(VIOLATIONS))('%s', async (_, inputs) => {
    const broken: number[][] = []
    for (const input of inputs) broken.push(await breaks(input))
    for (const indexes of broken) expect(indexes).toHaveLength(1)
    expect(new Set(broken.flat()).size, 'breaking one rule breaks one constraint').toBe(1)
  })

  test('no two rules share a constraint', async () => {
    const broken: number[] = []
    for (const [input] of Object.values(VIOLATIONS)) broken.push(...(await breaks(input!)))
    expect(new Set(broken).size).toBe(Object.keys(VIOLATIONS).length)
  })

  test('a value of the input `refund` that is not a bit breaks one constraint', async () => {
    // A transfer to oneself without a fee: its delivery and its refund differ only in their times.
    const claim = { ...TRANSFER.claim, recipient: sender, amountOut: TRANSFER.value }
    const input = deliver(expiry, { ...TRANSFER, claim } satisfies Note)
    // A value for the comparison's highest bit that is neither 0 nor 1. If all lower bits are zero, this value
    // satisfies the comparison's other constraints.
    const shifted = input.time + 2n ** 40n - (input.expiry + 1n)
    const part = mod(shifted * invert(2n ** 40n))
    const witness = await forge({ ...input, refund: part })
    const isBitOf = (name: string) => /^main\.LessEqThan_(\w+)\.lt\.n2b\.out\[(\d+)\]$/.exec(name)
    const bits = [...symbols.keys()].map(isBitOf).filter((match) => match !== null)
    const names = [...new Set(bits.map(([, comparison]) => comparison))].sort()
    // The second of the four comparisons, in the order of the circuit's text.
    const [, side] = names
    expect(names).toHaveLength(4)
    for (const [name, comparison, at] of bits) {
      if (comparison === side && at !== '40') witness[symbols.get(name)!] = 0n
    }
    const broken = findBroken(system, witness)
    expect(broken).toHaveLength(1)
    const { a, b } = system.constraints[broken[0]!]!
    const values = [evaluate(a, witness), evaluate(b, witness)]
    expect(values.map((value) => (value === 0n ? 0 : 1))).toEqual([1, 1])
  })
})

describe('the prover cannot choose a wire', () => {
  const changeEach = (witness: bigint[]) => {
    const users = Array.from({ length: system.wires }, () => new Set<number>())
    system.constraints.forEach(({ a, b, c }, index) => {
      for (const sum of [a, b, c]) for (const wire of sum.keys()) users[wire]!.add(index)
    })
    const changed = [...witness]
    return witness.flatMap((value, wire) => {
      if (wire === 0) return []
      changed[wire] = mod(value + 1n)
      const affected = [...users[wire]!].map((index) => system.constraints[index]!)
      const isCaught = findBroken({ ...system, constraints: affected }, changed).length > 0
      changed[wire] = value
      return isCaught ? [] : [wire]
    })
  }

  test('changing a wire of a delivery or a refund breaks a constraint', async () => {
    expect(changeEach(await forge(delivery))).toEqual([])
    expect(changeEach(await forge(repayment))).toEqual([])
    expect(changeEach(await forge(refund(expiry + 1n, BALANCE)))).toEqual([])
  })

  test('changing a wire of a payment breaks a constraint, except for two unused quotients', async () => {
    const open = new Set(changeEach(await forge(payment)))
    const names = [...symbols].filter(([, wire]) => open.has(wire)).map(([name]) => name)
    expect(names.map((name) => name.split('.').slice(-3).join('.'))).toEqual([
      'eqCheckX.isz.inv',
      'eqCheckY.isz.inv',
    ])
  })

  test('the inputs determine every other wire', async () => {
    const plain = await compileOnce(CIRCUIT, { simplification: '--O1', outputs: ['r1cs'] })
    const unsimplified = await readRank1System(plain.r1cs)
    const names = await readSymbols(plain.sym)
    const witness = await (await compileRelaxed(names))(payment)
    const justified = justify(names)
    expect(justified.unused, 'each of the listed reasons is needed').toEqual([])
    expect(findOpenWires(unsimplified, witness, justified)).toEqual([])
    // The method detects a missing constraint. Without a product's constraint, the product's wire is open.
    const { constraints, publicInputs, privateInputs } = unsimplified
    const isProduct = ({ a, c }: Constraint) =>
      a.size > 0 && c.size === 1 && [...c.keys()][0]! > publicInputs + privateInputs
    const lacking = constraints.findIndex(isProduct)
    const weakened = { ...unsimplified, constraints: constraints.toSpliced(lacking, 1) }
    expect(findOpenWires(weakened, witness, justified).length).toBeGreaterThan(0)
    // The method needs the facts about the verifier. Without them, the verifier's wires are open.
    const unjustified = { isQuotient: () => false, isStrictBit: () => false }
    expect(findOpenWires(unsimplified, witness, unjustified).length).toBeGreaterThan(1_000)
  })
})

// `signature-wires.ts` relies on this fact in both multiplications: the verifier never adds a point to itself. The
// tests check this for every step.
describe('the verifier never adds a point to itself', () => {
  test('while it multiplies the owner by any challenge', () => {
    for (const bits of [148n, 106n]) {
      for (let at = 1n; at < bits; at++) {
        // The sum so far is odd and not greater than the sum of all lower bits.
        const [most, added] = [2n ** at - 1n, 2n ** at]
        expect(most < added && most + added < SUBGROUP_ORDER).toBe(true)
      }
    }
  })

  test('while it multiplies the base by any S', () => {
    for (const windows of [83n, 2n]) {
      let [least, most] = [2n * 8n ** windows, 2n * 8n ** windows]
      for (let at = 0n; at < windows; at++) {
        const [smallest, largest] = [8n ** at, 8n * 8n ** at]
        expect(least > largest && most - smallest < SUBGROUP_ORDER).toBe(true)
        least += smallest
        most += largest
      }
    }
  })
})
