import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { SettledNote } from '../../ports/settlement-chain.ts'
import { continueWithChange } from './continue-with-change.ts'

const CHANGE = 100n
const NOTE = { mint: NATIVE_MINT, value: amount(9n) }
const secrets = { seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear }

/** Sleeps until the signal aborts. */
const sleep = (_ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

const idOf = (number: number) => new Uint8Array(16).fill(number)

const balance = (number: number, leaf: bigint, nullifier: bigint) => ({
  ...{ note: NOTE, leaf, nullifier, secrets, terms: { owner: 'key' }, plan: { deliverAtMs: 0 } },
  order: { orderId: idOf(number), epoch: 1, value: NOTE.value, sealedPlan: new Uint8Array(1) },
})

const payment = (number: number, changeLeaf: bigint) => ({
  ...{ note: NOTE, nullifier: 6n, changeLeaf, terms: {}, balanceId: idOf(9) },
  order: { orderId: idOf(number), epoch: 1 },
  payment: { payee: NATIVE_MINT, payout: amount(1n), fee: amount(0n), changeNk: 5n },
})

const OWN = payment(1, CHANGE)
const BALANCE = balance(9, 7n, 6n)

/** True if a balance continues with the change of a payment whose outcome is unknown. */
async function goesOn(others: { payments?: object[]; balances?: object[] }): Promise<boolean> {
  const replaced: Uint8Array[] = []
  const balances = [BALANCE, ...(others.balances ?? [])]
  const d = {
    ...{ clock: { nowMs: () => 5, sleep }, log: {}, workerId: 'one', leaseMs: 1_000 },
    opener: {
      findBalance: () => undefined,
      openAll: async () => balances,
      openPayments: async () => [OWN, ...(others.payments ?? [])],
    },
    store: {
      listPayments: async () => [],
      listOpen: async () => [BALANCE.order],
      findLeaves: async () => new Map([[CHANGE, 3]]),
      tryClaim: async () => ({ orderId: idOf(9), fence: 1n, epoch: 1, plan: new Uint8Array(1) }),
      ...{ tryRenew: async () => true, release: async () => undefined },
      tryReplacePlan: async (_lease: object, plan: Uint8Array) => replaced.push(plan) > 0,
    },
  } as unknown as Parameters<typeof continueWithChange>[0]
  const settled = { atSeconds: unixSeconds(0n) } as SettledNote
  await continueWithChange(d, OWN as never, settled, { unixSeconds: unixSeconds(9_000n) })
  return replaced.length === 1
}

it('continues with the change of a payment whose outcome is unknown', async () => {
  expect(await goesOn({})).toBe(true)
  expect(await goesOn({ payments: [payment(2, 101n)], balances: [balance(8, 101n, 8n)] })).toBe(
    true,
  )
})

it('I2: does not continue with a change whose leaf another open payment or balance also has', async () => {
  expect(await goesOn({ payments: [payment(2, CHANGE)] })).toBe(false)
  expect(await goesOn({ balances: [balance(8, CHANGE, 8n)] })).toBe(false)
})
