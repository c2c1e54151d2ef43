import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { wtns } from 'snarkjs'
import { ARTEFACTS, CIRCUIT, hashFile, readManifest } from '../manifest.ts'
import { POWER } from '../powers-of-tau.ts'
import {
  REFUND_WINDOW_SECONDS,
  hashNote,
  makeSettleInput,
  rootAbove,
  type Note,
  type Place,
  type SettleInput,
} from '../settle-input.ts'
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
} from './r1cs.ts'
import { type ForgeWitness, compileRelaxed } from './relaxed-circuit.ts'
import { NOTE, PLACE } from './sample-notes.ts'
import { calculateWitness, readSymbols, writeWitness } from './witness.ts'

const LAST_TIME = 2n ** 40n - 1n

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

const deliver = (time: bigint, note: Note = NOTE, place: Place = PLACE) =>
  makeSettleInput(note, place, 'deliver', time)
const refund = (time: bigint, note: Note = NOTE, place: Place = PLACE) =>
  makeSettleInput(note, place, 'refund', time)

describe('the committed artefacts are those of the circuit', () => {
  test('constraints and witness generator compile to the pinned hashes', async () => {
    const manifest = await readManifest(ARTEFACTS)
    expect(await hashFile(r1cs)).toBe(manifest.r1cs)
    expect(await hashFile(wasm)).toBe(manifest.files['settle.wasm'])
    expect(await hashFile(join(ARTEFACTS, 'settle.wasm'))).toBe(manifest.files['settle.wasm'])
  })

  test('the circuit fits the powers of tau', () => {
    expect(system.publicInputs).toBe(9)
    expect(system.constraints.length + system.publicInputs + 1).toBeLessThanOrEqual(2 ** POWER)
  })
})

describe('the tools of this test', () => {
  test('a forged witness of a valid input is the real one', async () => {
    const input = refund(NOTE.expiry + 1n)
    expect(await forge(input)).toEqual(await calculateWitness(input, wasm))
  })

  test('find what snarkjs finds', async () => {
    const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
    const check = (witness: bigint[]) => wtns.check(r1cs, writeWitness(witness), logger)
    const good = await forge(deliver(NOTE.expiry))
    expect([await check(good), findBroken(system, good)]).toEqual([true, []])
    const bad = await forge({ ...deliver(NOTE.expiry), root: 1n })
    expect([await check(bad), findBroken(system, bad).length]).toEqual([false, 1])
  })
})

const delivery = deliver(NOTE.expiry)
const repayment = refund(NOTE.expiry + 1n)
const farIndex = PLACE.leafIndex + 2n ** 26n
const half = rootAbove(hashNote(NOTE), { ...PLACE, path: PLACE.path.slice(0, 25) })

// Each entry keeps every rule but the one it is named after: all else is computed to fit.
const violations: Record<string, SettleInput[]> = {
  membership: [
    { ...delivery, root: delivery.root + 1n },
    { ...delivery, amount: NOTE.amount + 1n },
    { ...delivery, assetHash: NOTE.assetHash + 1n },
    { ...delivery, fee: NOTE.fee + 1n },
    { ...delivery, path: delivery.path.with(25, 1n) },
    { ...deliver(NOTE.expiry + 1n, { ...NOTE, expiry: NOTE.expiry + 1n }), root: delivery.root },
    { ...refund(NOTE.expiry, { ...NOTE, expiry: NOTE.expiry - 1n }), root: repayment.root },
    { ...deliver(1n, { ...NOTE, recipient: NOTE.sender }), root: delivery.root },
    { ...repayment, senderHi: 5n, payeeHi: 5n },
    { ...deliver(1n, { ...NOTE, nk: 1n }), root: delivery.root },
    { ...deliver(1n, NOTE, { ...PLACE, leafIndex: PLACE.leafIndex ^ 1n }), root: delivery.root },
  ],
  nullifier: [{ ...delivery, nullifier: 1n }],
  'upper half of the payee': [
    { ...delivery, payeeHi: NOTE.sender.hi },
    { ...repayment, payeeHi: NOTE.recipient.hi },
  ],
  'lower half of the payee': [
    { ...delivery, payeeLo: NOTE.sender.lo },
    { ...repayment, payeeLo: NOTE.recipient.lo },
  ],
  'fee given back': [
    { ...delivery, feeBack: NOTE.fee },
    { ...repayment, feeBack: NOTE.fee + 1n },
    { ...repayment, feeBack: 0n },
  ],
  'side of the expiry': [deliver(NOTE.expiry + 1n), refund(NOTE.expiry), refund(0n)],
  'refund window': [refund(NOTE.expiry + REFUND_WINDOW_SECONDS + 1n)],
  'range of the time': [refund(LAST_TIME + 1n, { ...NOTE, expiry: LAST_TIME })],
  'range of the expiry': [deliver(LAST_TIME, { ...NOTE, expiry: LAST_TIME + 1n })],
  // Where the two halves of the tree are equal, the order of the topmost pair doesn't matter, and the
  // index's range alone keeps the note from having a second nullifier.
  'range of the index': [
    deliver(1n, NOTE, { leafIndex: farIndex, path: PLACE.path.with(25, half) }),
  ],
}

describe('each rule has a constraint of its own', () => {
  test.each(Object.entries(violations))('%s', async (_, inputs) => {
    const broken = await Promise.all(
      inputs.map(async (each) => findBroken(system, await forge(each))),
    )
    for (const indexes of broken) expect(indexes).toHaveLength(1)
    expect(new Set(broken.flat()).size, 'one rule, one constraint').toBe(1)
  })

  test('no two rules share it', async () => {
    const first = Object.values(violations).map(([input]) => input!)
    const broken = await Promise.all(
      first.map(async (each) => findBroken(system, await forge(each))),
    )
    expect(new Set(broken.flat()).size).toBe(first.length)
  })

  test('refund is a bit: half a refund that fits all other constraints breaks only that one', async () => {
    // With all its lower bits zero, the comparison's highest bit would have to be this fraction.
    const shifted = delivery.time + 2n ** 40n - (delivery.expiry + 1n)
    const part = mod(shifted * invert(2n ** 40n))
    const between = (from: bigint, to: bigint) => mod(from + part * (to - from))
    const witness = await forge({
      ...delivery,
      refund: part,
      feeBack: mod(part * NOTE.fee),
      payeeHi: between(NOTE.recipient.hi, NOTE.sender.hi),
      payeeLo: between(NOTE.recipient.lo, NOTE.sender.lo),
    })
    const isLowerBit = (name: string) => /LessEqThan_\d+_\d+\.lt\.n2b\.out\[\d+\]$/.test(name)
    const comparison = [...symbols.keys()].find(isLowerBit)!.split('.')[1]!
    for (const [name, wire] of symbols) {
      if (isLowerBit(name) && name.includes(comparison)) witness[wire] = 0n
    }
    const broken = findBroken(system, witness)
    expect(broken).toHaveLength(1)
    const { a, b } = system.constraints[broken[0]!]!
    const values = [evaluate(a, witness), evaluate(b, witness)]
    expect(values.map((value) => (value === 0n ? 0 : 1))).toEqual([1, 1])
  })
})

describe('no wire can be chosen', () => {
  const changeEach = (witness: bigint[]) => {
    const users = Array.from({ length: system.wires }, () => new Set<number>())
    system.constraints.forEach(({ a, b, c }, index) => {
      for (const sum of [a, b, c]) for (const wire of sum.keys()) users[wire]!.add(index)
    })
    return witness.flatMap((value, wire) => {
      if (wire === 0) return []
      const changed = witness.with(wire, mod(value + 1n))
      const affected = [...users[wire]!].map((index) => system.constraints[index]!)
      const isCaught = findBroken({ ...system, constraints: affected }, changed).length > 0
      return isCaught ? [] : [wire]
    })
  }

  test('changing any single wire of a delivery or a refund breaks a constraint', async () => {
    expect(changeEach(await forge(delivery))).toEqual([])
    expect(changeEach(await forge(repayment))).toEqual([])
  })

  test('the inputs determine every other wire', async () => {
    const plain = await compileOnce(CIRCUIT, {
      simplification: '--O1',
      outputs: ['r1cs'],
    })
    const unsimplified = await readRank1System(plain.r1cs)
    expect(findOpenWires(unsimplified)).toEqual([])
    // The walk does notice a missing constraint: without a product, the product's wire is open.
    const { constraints, publicInputs, privateInputs } = unsimplified
    const isProduct = ({ a, c }: Constraint) =>
      a.size > 0 && c.size === 1 && [...c.keys()][0]! > publicInputs + privateInputs
    const lacking = constraints.findIndex(isProduct)
    const weakened = { ...unsimplified, constraints: constraints.toSpliced(lacking, 1) }
    expect(findOpenWires(weakened).length).toBeGreaterThan(0)
  })
})
