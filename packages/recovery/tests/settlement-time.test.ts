import { describe, expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { mayBeClosed, settlementTime } from '../index.ts'
import { note } from './fake-chain.ts'

const EXPIRY = unixSeconds(6_000n)

it('delivers until the expiry', () => {
  expect(settlementTime('deliver', unixSeconds(5_401n), EXPIRY)).toBe(6_000n)
  expect(settlementTime('deliver', unixSeconds(6_000n), EXPIRY)).toBe(6_000n)
  expect(() => settlementTime('deliver', unixSeconds(6_001n), EXPIRY)).toThrow(/only be refunded/)
})

it('refunds from the first grid time (a multiple of 600 s) after the expiry', () => {
  expect(() => settlementTime('refund', unixSeconds(6_000n), EXPIRY)).toThrow(/in 600 s/)
  expect(() => settlementTime('refund', unixSeconds(6_599n), EXPIRY)).toThrow(/in 1 s/)
  expect(settlementTime('refund', unixSeconds(6_600n), EXPIRY)).toBe(6_600n)
})

describe('at the end of the refund window', () => {
  const end = EXPIRY + 2_592_000n

  it('refunds with the last time that can be proved while the program accepts it', () => {
    for (const late of [0n, 599n, 600n, 3_600n]) {
      expect(settlementTime('refund', unixSeconds(end + late), EXPIRY)).toBe(end)
    }
    expect(() => settlementTime('refund', unixSeconds(end + 3_601n), EXPIRY)).toThrow(
      /too late to refund/,
    )
  })

  it('refunds with an earlier grid time if the window ends between two grid times', () => {
    const expiry = unixSeconds(6_100n)
    expect(settlementTime('refund', unixSeconds(end + 3_600n), expiry)).toBe(end)
    expect(() => settlementTime('refund', unixSeconds(end + 3_601n), expiry)).toThrow(
      /too late to refund/,
    )
  })

  it('says that a Nullifier may be closed only once no refund can land', () => {
    const late = note({ expiry: EXPIRY })
    expect(mayBeClosed(late, unixSeconds(end + 3_600n))).toBe(false)
    expect(mayBeClosed(late, unixSeconds(end + 3_601n))).toBe(true)
  })
})
