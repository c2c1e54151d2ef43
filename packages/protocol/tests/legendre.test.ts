import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { CURVE_PRIME, legendre } from '../src/legendre.ts'

/** Euler's criterion: value^((p - 1) / 2) is 1 for a square, p - 1 for a non-square, 0 for 0. */
function euler(value: bigint): number {
  let power = 1n
  let square = value
  for (let exponent = (CURVE_PRIME - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent % 2n === 1n) power = (power * square) % CURVE_PRIME
    square = (square * square) % CURVE_PRIME
  }
  return power === CURVE_PRIME - 1n ? -1 : Number(power)
}

const random = () => BigInt(`0x${randomBytes(32).toString('hex')}`) % CURVE_PRIME

it("distinguishes squares from non-squares as Euler's criterion does", () => {
  const ends = [0n, 1n, 2n, 3n, 4n, 5n, 7n, 8n, 19n]
  const powers = Array.from({ length: 255 }, (_, bits) => 1n << BigInt(bits))
  // Numbers of every length, and numbers whose first bits equal the first bits of p, p / 2, p / 4, ...
  const short = powers.map((power) => random() % power)
  const near = powers.flatMap((power) => [
    power - 1n,
    power + (random() % 1_000n),
    CURVE_PRIME - power,
    CURVE_PRIME / power - (random() % 1_000n),
  ])
  const values = [...ends, ...ends.map((one) => CURVE_PRIME - one), ...powers, ...short, ...near]
  for (let count = 0; count < 2_000; count += 1) values.push(random())
  const valid = values.filter((value) => value >= 0n && value < CURVE_PRIME)
  const wrong = valid.filter((value) => legendre(value) !== euler(value))
  expect(wrong).toEqual([])
  expect(new Set(valid.map(legendre))).toEqual(new Set([-1, 0, 1]))
})
