import type { ShownBalance } from '@sotto/sdk/balance'
import { expect, it } from 'vitest'
import { paymentInProgress } from './payment-in-progress.ts'

const balanceWith = (...steps: readonly string[]) =>
  ({ payments: steps.map((step) => ({ step })) }) as unknown as ShownBalance

it.each([
  ['waiting', [], 'keep this page open'],
  ['repriced', ['paid'], 'your answer'],
  ['uncertain', [], 'your answer'],
  ['paying', ['signed'], 'is being made'],
  [undefined, ['paid', 'quoted'], 'was interrupted'],
  [undefined, ['signed'], 'was interrupted'],
] as const)('says of a balance (%s, %s) that a payment %s', (busy, steps, words) => {
  expect(paymentInProgress(balanceWith(...steps), busy)).toContain(words)
})

it('says nothing about a balance whose payments were all made', () => {
  expect(paymentInProgress(balanceWith('paid', 'paid'), undefined)).toBeUndefined()
  expect(paymentInProgress(balanceWith(), undefined)).toBeUndefined()
})
