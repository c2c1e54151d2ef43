import { describe, expect, it } from 'vitest'
import { rentMinimum, shownRent, walletMinimum } from '../index.ts'

/** The rent sysvar: a u64 price, and a double of years. */
function sysvar(price: bigint, years: number) {
  const data = new Uint8Array(17)
  const view = new DataView(data.buffer)
  view.setBigUint64(0, price, true)
  view.setFloat64(8, years, true)
  return { data }
}

describe('the rent of an account', () => {
  it('is 890,880 lamports for a wallet and 2,039,280 for a token account on older clusters', () => {
    expect(walletMinimum(6_960n)).toBe(890_880n)
    expect(rentMinimum(6_960n, 165n)).toBe(2_039_280n)
  })

  it('is read only from the two known forms of the sysvar', () => {
    expect(shownRent(sysvar(3_480n, 2))).toBe(6_960n)
    expect(shownRent(sysvar(5_080n, 1))).toBe(5_080n)
    expect(() => shownRent(sysvar(5_080n, 3))).toThrow('unknown form')
    expect(() => shownRent(undefined)).toThrow('shows no rent')
  })
})
