import { STEP_MAX } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { depositCost, rentMinimum, walletMinimum } from './rent.ts'

it('equals a cluster’s minimum: 890,880 lamports for a wallet, 2,039,280 for a token account', () => {
  expect(walletMinimum(6_960n)).toBe(890_880n)
  expect(rentMinimum(6_960n, 165n)).toBe(2_039_280n)
})

it('is part of a sender’s cost, with two signatures, the priority fee of the next step and the Order’s rent', () => {
  expect(depositCost(5_080n, 0)).toBe(10_000n + 123n + 934_720n + 650_240n)
  expect(depositCost(6_960n, 0)).toBe(10_000n + 123n + 1_280_640n + 890_880n)
  expect(depositCost(6_960n, STEP_MAX) - depositCost(6_960n, 0)).toBe(125_830n - 123n)
})
