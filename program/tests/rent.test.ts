import { Rent } from 'litesvm'
import { expect, test } from 'vitest'
import { NATIVE_MINT, orderAddress, vaultAddress } from '@sotto/protocol'
import { draftOrder, sendDeposit } from './fixtures/deposits.ts'
import { expectLanded, startPool, vaultBalance } from './fixtures/pool.ts'

const RATES = [
  ['the newer form', 6_960n, 1],
  ['the older form', 3_480n, 2],
  ['a tenfold price', 69_600n, 1],
] as const

test.each(RATES)('rent follows the chain’s sysvar: %s', async (_, price, years) => {
  const fixture = await startPool((chain) => chain.svm.setRent(new Rent(price, years, 50)))
  const { chain } = fixture
  const amountOut = 1_000_000n
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut })
  expectLanded(await sendDeposit(fixture, order))
  const account = await orderAddress(chain.program, order.terms.orderId)
  expect(chain.balance(account)).toBe((128n + 56n) * price * BigInt(years))
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(amountOut)
})

test('rent in an unknown form is refused', async () => {
  const fixture = await startPool()
  fixture.chain.svm.setRent(new Rent(6_960n, 3, 50))
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  expect((await sendDeposit(fixture, order)).refusal).toBe('RentUnsupported')
})

test('I1: after a rise in rent, deposits are refused until the native vault has the missing lamports', async () => {
  const fixture = await startPool()
  const { chain } = fixture
  chain.svm.setRent(new Rent(13_920n, 1, 50))
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  expect((await sendDeposit(fixture, order)).refusal).toBe('VaultShort')
  chain.fund(await vaultAddress(chain.program, NATIVE_MINT), 890_880n)
  expectLanded(await sendDeposit(fixture, order))
})
