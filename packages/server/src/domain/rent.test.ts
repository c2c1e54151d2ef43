import { expect, it } from 'vitest'
import { depositCost, rentMinimum, WALLET_MINIMUM } from './rent.ts'

it('is what a cluster asks: 890,880 lamports for a wallet, 2,039,280 for a token account', () => {
  expect(WALLET_MINIMUM).toBe(890_880n)
  expect(rentMinimum(165n)).toBe(2_039_280n)
})

it('a sender needs two signatures, the priority fee, the rent of the Order and a live wallet', () => {
  expect(depositCost(0n)).toBe(10_000n + 1_280_640n + 890_880n)
  expect(depositCost(1_234n) - depositCost(0n)).toBe(1_234n)
})
