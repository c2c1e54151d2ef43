import { STEP_MAX } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { depositCost } from './deposit-cost.ts'

it('a deposit costs its sender two signatures, a priority fee and two rents', () => {
  expect(depositCost(5_080n, 0)).toBe(10_000n + 123n + 934_720n + 650_240n)
  expect(depositCost(6_960n, 0)).toBe(10_000n + 123n + 1_280_640n + 890_880n)
  expect(depositCost(6_960n, STEP_MAX) - depositCost(6_960n, 0)).toBe(125_830n - 123n)
})
