import { NATIVE_MINT, amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { Outcome } from '../../ports/settlement-store.ts'
import { confirm } from '../pay/confirm.ts'
import { FirstReadings } from './first-readings.ts'

/** The time at which the note was spent, and the leaf that its settlement appended. */
const SPENT = 9_000n
const CHANGE = 100n
const FOUND: FoundSettlement = {
  ...{ isRefund: false, changeLeaf: CHANGE, payee: NATIVE_MINT, payout: amount(1n) },
  ...{ signature: 'settled', slot: 8n, unixSeconds: unixSeconds(SPENT) },
}
const secrets = {
  seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
  pseudonym: () => new Uint8Array(32),
}
const note = { mint: NATIVE_MINT, value: 9n, deadline: 0n, expiry: 90_000n }
const shared = { note, secrets, leafIndex: 0, leaf: 0n, changeLeaf: CHANGE }

const BALANCE_ID = new Uint8Array(16).fill(9)
const balance = {
  ...{ ...shared, nullifier: 5n, terms: { owner: 'key' }, plan: { deliverAtMs: 0 } },
  order: { orderId: BALANCE_ID, status: 'deposited', sealedPlan: new Uint8Array([1]) },
}
const payment = {
  ...{ ...shared, nullifier: 6n, terms: {}, balanceId: BALANCE_ID },
  order: { orderId: new Uint8Array(16), status: 'delivering' },
  payment: { payee: NATIVE_MINT, payout: 1n, fee: 0n, changeNk: 5n, validUntil: SPENT },
}

interface Others {
  /** Open balances whose sealed data can be decrypted. */
  readonly balances?: readonly (typeof balance)[]
  /** The open balances after the open payments have been read. By default, they have not changed. */
  readonly then?: readonly (typeof balance)[]
  /** The expiries of the signatures of open payments whose sealed data can't be decrypted now. */
  readonly closed?: readonly bigint[]
  /** The followed clock. */
  readonly now?: bigint
  /** True if the deposit of the payment's balance isn't recorded yet. */
  readonly isUnplaced?: boolean
}

/** Returns the outcome of an order whose note is spent; undefined if the order stays open. */
async function outcomeOf(opened: object, others: Others) {
  const { balances = [], then = balances, closed = [], now = SPENT + 600n } = others
  const ended: Outcome[] = []
  let shown = balances
  const d = {
    tree: { isVerified: true, leaf: (index: number) => [0n, CHANGE][index] },
    ...{ clock: { nowMs: () => 5 }, log: { event: () => undefined } },
    firstReadings: new FirstReadings(),
    chain: { findSettlement: async () => FOUND },
    opener: {
      ...{ findBalance: () => undefined, openPayments: async () => [] },
      openAll: async () => shown,
    },
    store: {
      listPayments: async () => {
        shown = then
        return closed.map((validUntil, index) => ({ orderId: new Uint8Array([index]), validUntil }))
      },
      readCursor: async () => ({ unixSeconds: now }),
      listOpen: async () => shown.map(({ order }) => order),
      isUnplaced: async () => others.isUnplaced ?? false,
      findLeaves: async () => new Map([[CHANGE, 1]]),
      tryComplete: async (outcome: Outcome) => ended.push(outcome) > 0,
    },
  } as unknown as Parameters<typeof confirm>[0]
  const settled = { atSeconds: SPENT, rentPayer: 'p' } as never
  const head = { slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(SPENT + 600n), nextLeaf: 2n }
  await confirm(d, opened as never, settled, head)
  return ended[0]
}

/** Returns the final status of an order whose note is spent; undefined if the order stays open. */
const endOf = async (opened: object, others: Others) => (await outcomeOf(opened, others))?.to

it('keeps a balance open while a payment that cannot be opened may have spent its note', async () => {
  expect(await endOf(balance, {})).toBe('delivered')
  expect(await endOf(balance, { closed: [SPENT + 1_200n] })).toBeUndefined()
  expect(await endOf(balance, { closed: [SPENT] })).toBeUndefined()
})

it('ends a balance if an unopened payment cannot have spent its note', async () => {
  const [ended, begun] = [SPENT - 1n, SPENT + 86_400n]
  expect(await endOf(balance, { closed: [ended, begun] })).toBe('delivered')
})

it('keeps a payment open while there may be an earlier payment that cannot be opened', async () => {
  const closed = [SPENT - 600n]
  expect(await endOf(payment, { balances: [balance] })).toBe('delivered')
  expect(await endOf(payment, { balances: [balance], closed })).toBeUndefined()
  // In the first call, the balance's newest note is the note that this payment spends. In the second call, the service
  // has no open order of the balance. In either case, the payment that can't be decrypted isn't an earlier payment, so
  // this payment needn't wait for it.
  const own = { ...balance, nullifier: payment.nullifier }
  expect(await endOf(payment, { balances: [own], closed })).toBe('delivered')
  expect(await endOf(payment, { closed })).toBe('delivered')
})

it('keeps a payment open while the deposit of its balance is not recorded', async () => {
  const unplaced = endOf(payment, { isUnplaced: true })
  await expect(unplaced).rejects.toThrow('not recorded yet')
  expect(await endOf(payment, {})).toBe('delivered')
})

it('continues a balance with a payment even if the earlier payment completes between two reads', async () => {
  const then = [{ ...balance, nullifier: payment.nullifier }]
  const outcome = await outcomeOf(payment, { balances: [balance], then })
  expect(outcome).toMatchObject({ to: 'delivered', paidFrom: { orderId: BALANCE_ID } })
})

it('lets a payment that cannot be opened delay other orders for at most a week', async () => {
  const [within, past] = [SPENT + 7n * 86_400n, SPENT + 7n * 86_400n + 1n]
  const others = { balances: [balance], closed: [SPENT] }
  expect(await endOf(payment, { ...others, now: within })).toBeUndefined()
  expect(await endOf(payment, { ...others, now: past })).toBe('delivered')
  expect(await endOf(balance, { closed: [SPENT], now: within })).toBeUndefined()
  expect(await endOf(balance, { closed: [SPENT], now: past })).toBe('delivered')
})
