import type { StoredBalance, StoredPayment } from '@sotto/sdk/balance'
import { expect, it } from 'vitest'
import { keyFor } from './send.ts'

const REQUEST = { to: 'A', amount: '100', mode: 'exact_out' } as const
const quoted = (key: string, more: object = {}): StoredPayment => ({
  ...{ kind: 'single', key, id: `one:${key}`, step: 'quoted', request: { ...REQUEST, ...more } },
})
const paid = (key: string): StoredPayment => ({
  ...{ kind: 'single', key, id: `one:${key}`, step: 'paid', request: REQUEST },
  paid: { trackingId: 't', payout: '100', fee: '1', signature: null },
})
const keyWith = (...payments: StoredPayment[]) =>
  keyFor({ payments } as unknown as StoredBalance, REQUEST)

it('a request equal to an interrupted payment continues that payment under its key', () => {
  expect(keyWith(paid('cli-1'), quoted('cli-2'))).toBe('cli-2')
  // If the mode is omitted, it is `exact_out`.
  expect(keyWith(quoted('cli-1', { mode: undefined }))).toBe('cli-1')
})

it('a request equal to a completed payment makes another payment', () => {
  expect(keyWith(paid('cli-1'))).toBe('cli-2')
})

it.each([
  ['to another wallet', { to: 'B' }],
  ['of another amount', { amount: '101' }],
  ['in another mode', { mode: 'exact_in' }],
])('an interrupted payment %s is not continued', (_name, more) => {
  expect(keyWith(quoted('cli-1', more))).toBe('cli-2')
})

it('an interrupted payment under a program’s own key is not continued', () => {
  expect(keyWith(quoted('invoice 7'), paid('cli-3'))).toBe('cli-4')
})
