import { describe, expect, it } from 'vitest'
import { assertOwner, FIELD_MODULUS, isOnCurve, packOwner, unpackOwner } from '../index.ts'

/** The generator of the whole curve, and the base point of the subgroup, both from EIP-2494. */
const generator = {
  x: 995203441582195749578291179787384436505546430278305826713579947235728471134n,
  y: 5472060717959818805561601436314318772137091100104008585924551046643952123905n,
}
const base = {
  x: 5299619240641551281634865583518297030282874472190772894086521144482721001553n,
  y: 16950150798460657717958625567821834550301663161624707787222815936182638968203n,
}

describe('an owner', () => {
  it('may be any point whose order is large', () => {
    for (const point of [generator, base]) {
      expect(isOnCurve(point)).toBe(true)
      expect(() => assertOwner(point)).not.toThrow()
    }
  })

  it('must not be the identity or the point of order two', () => {
    for (const y of [1n, FIELD_MODULUS - 1n]) {
      expect(isOnCurve({ x: 0n, y })).toBe(true)
      expect(() => assertOwner({ x: 0n, y })).toThrow(/small order/)
    }
  })

  it('must not be a point of order four or eight', () => {
    // A point of order four: y is 0 and A x^2 is 1.
    const four = rootOf(inverseOf(168_700n))
    expect(() => assertOwner({ x: four, y: 0n })).toThrow(/small order/)
  })

  it('must be on the curve, with coordinates in the field', () => {
    expect(() => assertOwner({ x: base.x, y: base.y + 1n })).toThrow(/not a point/)
    expect(() => assertOwner({ x: base.x + FIELD_MODULUS, y: base.y })).toThrow(/not a point/)
    expect(() => assertOwner({ x: base.x - FIELD_MODULUS, y: base.y })).toThrow(/not a point/)
  })
})

describe('a packed owner', () => {
  it('is read as the point that was packed, for both signs of x', () => {
    for (const { x, y } of [generator, base]) {
      for (const point of [
        { x, y },
        { x: FIELD_MODULUS - x, y },
        { x, y: FIELD_MODULUS - y },
      ]) {
        expect(unpackOwner(packOwner(point))).toEqual(point)
      }
    }
    expect(unpackOwner(packOwner({ x: 0n, y: 1n }))).toEqual({ x: 0n, y: 1n })
  })

  it('is refused in any other encoding of the same point', () => {
    const bytes = packOwner({ x: 0n, y: 1n })
    expect(unpackOwner(bytes.with(31, 0x80))).toBeUndefined()
    const beyond = fieldBytes(1n + FIELD_MODULUS)
    expect(unpackOwner(beyond)).toBeUndefined()
    expect(unpackOwner(bytes.subarray(1))).toBeUndefined()
    expect(unpackOwner(new Uint8Array([...bytes, 0]))).toBeUndefined()
  })

  it('is refused for a y that no point of the curve has', () => {
    const found = [2n, 3n, 4n, 5n, 6n, 7n].map((y) => unpackOwner(fieldBytes(y)))
    expect(found).toContain(undefined)
    for (const point of found) expect(point === undefined || isOnCurve(point)).toBe(true)
  })
})

const fieldBytes = (value: bigint) =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse())

function powerOf(value: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, value % FIELD_MODULUS]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % FIELD_MODULUS
    square = (square * square) % FIELD_MODULUS
  }
  return result
}

const inverseOf = (value: bigint) => powerOf(value, FIELD_MODULUS - 2n)

/** A square root, by Tonelli and Shanks; 5 is not a square in this field. */
function rootOf(square: bigint): bigint {
  let odd = FIELD_MODULUS - 1n
  let twos = 0
  for (; odd % 2n === 0n; odd /= 2n) twos += 1
  let [factor, rest, root] = [
    powerOf(5n, odd),
    powerOf(square, odd),
    powerOf(square, (odd + 1n) / 2n),
  ]
  while (rest !== 1n) {
    let order = 0
    for (let power = rest; power !== 1n; power = (power * power) % FIELD_MODULUS) order += 1
    let step = factor
    for (let times = 0; times < twos - order - 1; times += 1) step = (step * step) % FIELD_MODULUS
    twos = order
    factor = (step * step) % FIELD_MODULUS
    rest = (rest * factor) % FIELD_MODULUS
    root = (root * step) % FIELD_MODULUS
  }
  return root
}
