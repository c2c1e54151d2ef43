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
const keyWithMark = (mark: string) =>
  keyFor(
    { payments: [paid('cli-1')], marks: new Map([['cli-1', mark]]) } as unknown as StoredBalance,
    REQUEST,
  )
const keyWith = (...payments: StoredPayment[]) =>
  keyFor({ payments, marks: new Map() } as unknown as StoredBalance, REQUEST)

it('continues an interrupted payment if the request is equal', () => {
  expect(keyWith(paid('cli-1'), quoted('cli-2'))).toBe('cli-2')
  // If the mode is omitted, it is `exact_out`.
  expect(keyWith(quoted('cli-1', { mode: undefined }))).toBe('cli-1')
})

it('makes another payment if an equal payment is complete', () => {
  expect(keyWith(paid('cli-1'))).toBe('cli-2')
})

it('makes an equal payment again only if the result of the first was shown', () => {
  expect(keyWithMark('unshown')).toBe('cli-1')
  expect(keyWithMark('shown')).toBe('cli-2')
})

it.each([
  ['to another wallet', { to: 'B' }],
  ['of another amount', { amount: '101' }],
  ['in another mode', { mode: 'exact_in' }],
])('does not continue an interrupted payment %s', (_name, more) => {
  expect(keyWith(quoted('cli-1', more))).toBe('cli-2')
})

it('does not continue an interrupted payment whose key the user chose', () => {
  expect(keyWith(quoted('invoice 7'), paid('cli-3'))).toBe('cli-4')
})
