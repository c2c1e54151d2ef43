import type { Address } from '@solana/kit'
import { expect } from 'vitest'
import {
  decodeAsset,
  decodeNullifier,
  decodeOrder,
  decodePool,
  NATIVE_MINT,
  NULLIFIER_SECONDS,
} from '@sotto/protocol'
import { vaultBalance } from '../fixtures/pool.ts'
import { tokenBalance } from '../fixtures/token-accounts.ts'
import type { Run } from './attempt.ts'

const UNSET = '11111111111111111111111111111111'
const RINGS_OFFSET = 1_312
const SWAP_UPDATED_AT_OFFSET = 152

type IsLookedAt = (address: Address) => boolean

/**
 * Asserts that the pool's accounts and all balances agree with the model. With `named`, compares only these accounts.
 */
export async function expectChainIsModel(run: Run, named?: ReadonlySet<Address>): Promise<void> {
  const isLookedAt: IsLookedAt = (address) => named === undefined || named.has(address)
  const { fixture } = run.snapshot.world
  if (isLookedAt(fixture.pool)) comparePool(run)
  compareAssets(run, isLookedAt)
  if (isLookedAt(fixture.tree)) compareTree(run)
  compareOrdersAndNullifiers(run, isLookedAt)
  await compareMoney(run, isLookedAt)
}

function dataOf({ snapshot }: Run, address: Address): Uint8Array {
  const data = snapshot.world.fixture.chain.data(address)
  if (data === undefined) throw new Error(`there is no account at ${address}`)
  return data
}

function comparePool(run: Run): void {
  const { model, snapshot } = run
  const { fixture } = snapshot.world
  expect(decodePool(dataOf(run, fixture.pool))).toMatchObject({
    depositsPaused: model.depositsPaused,
    admin: model.admin,
    authorisers: model.authorisers.map((key) => key ?? UNSET),
    domain: fixture.domain,
    tree: fixture.tree,
    maxDepositSeconds: Number(model.maxDepositSeconds),
  })
}

function compareAssets(run: Run, isLookedAt: IsLookedAt): void {
  const { mints, assets, vaults } = run.snapshot.world
  for (const asset of [0, 1] as const) {
    if (!isLookedAt(assets[asset])) continue
    const { swapUpdatedAt, ...books } = run.model.assets[asset]
    const data = dataOf(run, assets[asset])
    const view = new DataView(data.buffer, data.byteOffset)
    expect(view.getBigInt64(SWAP_UPDATED_AT_OFFSET, true)).toBe(swapUpdatedAt)
    expect(decodeAsset(data)).toMatchObject({
      ...books,
      mint: mints[asset],
      vault: vaults[asset],
    })
  }
}

function compareTree(run: Run): void {
  const { model, snapshot } = run
  const data = dataOf(run, snapshot.world.fixture.tree)
  const view = new DataView(data.buffer, data.byteOffset)
  const chain = [8, 16].map((at) => view.getBigUint64(at, true))
  expect(chain).toEqual([BigInt(model.tree.size), model.lastCheckpointHour])
  expect(Buffer.compare(data.subarray(RINGS_OFFSET), model.rings)).toBe(0)
}

function compareOrdersAndNullifiers(run: Run, isLookedAt: IsLookedAt): void {
  const { model, snapshot } = run
  for (const { account, deadline, leafIndex, sender } of model.orders.values()) {
    if (!isLookedAt(account)) continue
    expect(decodeOrder(dataOf(run, account))).toEqual({ deadline, leafIndex, sender })
  }
  for (const { account, closableAt, rentPayer } of model.nullifiers.values()) {
    if (!isLookedAt(account)) continue
    const settledAt = closableAt - NULLIFIER_SECONDS
    expect(decodeNullifier(dataOf(run, account))).toEqual({ closableAt, rentPayer, settledAt })
  }
  for (const { settlement, nullifierAccount } of snapshot.settlements) {
    if (!isLookedAt(nullifierAccount) || model.nullifiers.has(settlement.nullifier)) continue
    expect(snapshot.world.fixture.chain.data(nullifierAccount)).toBeUndefined()
  }
}

async function compareMoney({ model, snapshot }: Run, isLookedAt: IsLookedAt): Promise<void> {
  const { world } = snapshot
  const { chain, token } = world.fixture
  const vaults = [
    [world.vaults[0], await vaultBalance(world.fixture, NATIVE_MINT)],
    [world.vaults[1], await vaultBalance(world.fixture, token)],
  ] as const
  const held = new Map<string, bigint>(vaults)
  for (const [address, quantity] of model.money) {
    if (!isLookedAt(address)) continue
    const data = chain.data(address)
    const isTokens = data !== undefined && data.length > 0
    const found =
      held.get(address) ?? (isTokens ? tokenBalance(chain, address) : chain.balance(address))
    expect(found, `money of ${address}`).toBe(quantity)
  }
}
