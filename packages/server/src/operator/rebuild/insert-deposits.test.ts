import { wasmPoseidon } from '@sotto/poseidon'
import { amount, leafOf, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { hexOf } from '../../domain/hex.ts'
import { leafTermsOf } from '../../domain/note-of.ts'
import type { FollowedDeposit, TreeTransaction } from '../../ports/settlement-chain.ts'
import { insertDeposits, type InsertDependencies } from './insert-deposits.ts'

const DOMAIN = new Uint8Array(32)

/** A deposit whose key was destroyed on schedule. */
const depositOf = (id: number, inner = BigInt(id)): FollowedDeposit => ({
  ...{ orderId: new Uint8Array(16).fill(id), sender: NATIVE_MINT, isSwap: false },
  ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, partnerFee: amount(0n) },
  ...{ amountIn: amount(9n), value: amount(9n), inner, payload: new Uint8Array(65) },
  ...{ deadline: unixSeconds(600n), validUntil: unixSeconds(600n) },
  ...{ order: NATIVE_MINT, sourceAsset: NATIVE_MINT, destinationAsset: NATIVE_MINT },
})

const leafAt = (deposit: FollowedDeposit) => leafOf(wasmPoseidon, DOMAIN, leafTermsOf(deposit))

/** Inserts the deposits of a chain into a database that has the orders `stored`. No key exists any more. */
async function insert(
  landed: readonly FollowedDeposit[],
  stored: readonly FollowedDeposit[],
  writtenOff: readonly FollowedDeposit[] = [],
) {
  const d = {
    ...{ poseidon: wasmPoseidon, pool: { domain: DOMAIN }, progress: () => undefined },
    secrets: { read: async () => undefined },
    orders: { tryCreate: () => Promise.reject(new Error('nothing can be restored')) },
    known: async () => ({
      orders: new Map(stored.map((one) => [hexOf(one.orderId), leafAt(one)])),
      writtenOff: new Set(writtenOff.map(leafAt)),
    }),
  } as unknown as InsertDependencies
  const transactions = landed.map((deposit): TreeTransaction => ({
    ...{ appended: [{ kind: 'deposit', deposit }], signature: 'landed', slot: 1n },
    unixSeconds: unixSeconds(1n),
  }))
  const as = { accountId: 'acme', delays: { minDelaySeconds: 0, maxDelaySeconds: 0 } }
  const { alreadyThere, unopened } = await insertDeposits(d, as, transactions)
  return { alreadyThere, unopened: unopened.map(({ orderId }) => orderId[0]) }
}

it('a stored order’s deposit is not listed as unopened even if its key is destroyed', async () => {
  const all = [depositOf(1), depositOf(2), depositOf(3)]
  expect(await insert(all, [depositOf(1), depositOf(3)])).toEqual({
    alreadyThere: 2,
    unopened: [2],
  })
})

it('a deposit that was written off is not listed as unopened', async () => {
  const all = [depositOf(1), depositOf(2)]
  expect(await insert(all, [], [depositOf(2)])).toEqual({ alreadyThere: 0, unopened: [1] })
})

it('only one deposit belongs to a stored order', async () => {
  const other = depositOf(1, 7n)
  const all = [other, depositOf(1), depositOf(1)]
  expect(await insert(all, [depositOf(1)])).toEqual({ alreadyThere: 1, unopened: [1, 1] })
})
