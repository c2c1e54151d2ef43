import { amount, unixSeconds } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { givenAwayBy, type PayingBalance, type PlannedPayment } from './given-away.ts'

const SETTLED = unixSeconds(1_800_000_000n)
const VALUE = amount(2_000n)
const LATER = unixSeconds(SETTLED + 1_000_000n)

function reasons(payment: Partial<PlannedPayment>, balance: Partial<PayingBalance> = {}) {
  const paying = { senderAddress: 'own', value: VALUE, linkableUntil: SETTLED, hasPaid: false }
  return givenAwayBy(
    { ...paying, ...balance },
    { to: 'other', gross: amount(1n), at: LATER, ...payment },
  )
}

describe('a payment from a balance', () => {
  it('is easy to link by its time if it is made soon after the top-up', () => {
    expect(reasons({ at: unixSeconds(SETTLED - 1n) })).toEqual(['time'])
    expect(reasons({ at: SETTLED })).toEqual([])
    expect(reasons({ at: unixSeconds(0n) }, { linkableUntil: null })).toEqual([])
  })

  it('is easy to link by its amount if it takes all that was paid in', () => {
    expect(reasons({ gross: VALUE })).toEqual(['amount'])
    expect(reasons({ gross: amount(VALUE - 1n) })).toEqual([])
    expect(reasons({ gross: undefined })).toEqual([])
  })

  it('is easy to link by a sum if it takes all that earlier payments have left', () => {
    // No one else knows how much is left. But everyone knows the top-up, and the payments add up to it.
    expect(reasons({ gross: VALUE }, { hasPaid: true })).toEqual(['sum'])
    expect(reasons({ gross: amount(VALUE - 1n) }, { hasPaid: true })).toEqual([])
  })

  it('is easy to link if it goes to the wallet that paid in', () => {
    expect(reasons({ to: 'own' })).toEqual(['own_wallet'])
    const all = { to: 'own', gross: VALUE, at: unixSeconds(SETTLED - 1n) }
    expect(reasons(all)).toEqual(['time', 'amount', 'own_wallet'])
  })
})
