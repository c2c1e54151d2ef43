import type { Token } from '@sotto/sdk/server'
import { expect, it } from 'vitest'
import { paymentFee, readTopUp } from './top-up-form.ts'

const usdc = {
  ...{ decimals: 6, symbol: 'USDC', serviceFeeBps: 20 },
  networkFee: { accountExists: '20000', accountCreated: '350000' },
} as unknown as Token

it('states the higher fee of payments that create an account, before the top-up', () => {
  expect(paymentFee(usdc)).toBe(
    '0.2 % and 0.02 USDC, or 0.2 % and 0.35 USDC if the recipient has no account for USDC yet',
  )
  const networkFee = { accountExists: '20000', accountCreated: '20000' }
  expect(paymentFee({ ...usdc, networkFee })).toBe('0.2 % and 0.02 USDC')
})

it.each([
  ['1.000', '1 USDC'],
  ['1.000,5', '1\u202f000.5 USDC'],
  ['1 500', '1\u202f500 USDC'],
  ['1.5', undefined],
])('repeats how it understood the amount %s of a top-up', (amount, understood) => {
  const read = readTopUp({ assetId: 'x', amount, life: 'day' }, usdc, 'wallet', '00')
  expect(read.understood).toBe(understood)
})
