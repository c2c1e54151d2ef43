import type { Poseidon } from '@sotto/protocol'
import { expect, it, vi } from 'vitest'
import { balanceHash } from './balance-hash.ts'
import { rememberingHash } from './remembered-hash.ts'

/** A substitute for the hash. Its result depends on the order and the number of the inputs. */
const folded: Poseidon = (inputs) => inputs.reduce((sum, input) => sum * 1_000n + input, 1n)

it('computes each hash once, and always gives the same result', () => {
  const hash = vi.fn(folded)
  const remembering = rememberingHash(hash)
  for (const inputs of [
    [1n, 2n],
    [2n, 1n],
    [1n, 2n],
    [1n, 2n, 0n],
    [2n, 1n],
  ]) {
    expect(remembering(inputs)).toBe(folded(inputs))
  }
  expect(hash).toHaveBeenCalledTimes(3)
})

it('distinguishes inputs whose digits are equal when joined', () => {
  const remembering = rememberingHash(folded)
  const all = [[1n, 23n], [12n, 3n], [123n], [1n, 2n, 3n], [-1n, 23n], [36n + 1n, 2n], [1n, 12n]]
  for (const inputs of all) expect(remembering(inputs)).toBe(folded(inputs))
})

it('forgets only the least recently used results', () => {
  const hash = vi.fn(folded)
  const remembering = rememberingHash(hash, 2)
  for (const input of [1n, 2n, 1n, 3n]) remembering([input])
  hash.mockClear()
  remembering([1n])
  remembering([3n])
  expect(hash).not.toHaveBeenCalled()
  remembering([2n])
  expect(hash).toHaveBeenCalledTimes(1)
})

it('does not cache an error', () => {
  const hash = vi.fn<Poseidon>(() => {
    throw new RangeError('refused')
  })
  const remembering = rememberingHash(hash)
  expect(() => remembering([1n])).toThrow(RangeError)
  expect(() => remembering([1n])).toThrow(RangeError)
  expect(hash).toHaveBeenCalledTimes(2)
})

it('gives circomlib’s hashes before and after it caches them', () => {
  for (let times = 0; times < 2; times += 1) {
    expect(balanceHash([1n, 2n])).toBe(
      7_853_200_120_776_062_878_684_798_364_095_072_458_815_029_376_092_732_009_249_414_926_327_459_813_530n,
    )
    expect(() => balanceHash([1n])).toThrow(RangeError)
  }
})
