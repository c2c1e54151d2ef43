import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  amount,
  collectFeesInstruction,
  removeInventoryInstruction,
  rotateAuthoriserInstruction,
  setAssetInstruction,
  setConfigInstruction,
} from '@sotto/protocol'
import { expectLanded, readAsset, START, vaultBalance } from '../fixtures/pool.ts'
import { heldBy } from '../random/invariants.ts'
import { takeSnapshot } from '../random/snapshot.ts'
import type { Snapshot } from '../random/snapshot-shape.ts'
import { relay, settlementOf } from './prepared-pool.ts'

let snapshot: Snapshot

beforeAll(async () => {
  snapshot = await takeSnapshot()
})
beforeEach(() => {
  snapshot.world.reset()
})

const asAdmin = () => {
  const { fixture } = snapshot.world
  return { program: fixture.chain.program, admin: fixture.admin.address }
}
const sendAsAdmin = async (...instructions: Parameters<Snapshot['world']['send']>[1]) =>
  snapshot.world.send([snapshot.world.fixture.admin], instructions)
const heldNow = (account: Parameters<typeof heldBy>[1]) =>
  heldBy({ snapshot, model: snapshot.model, history: snapshot.history }, account)

/**
 * Does everything that an admin can do against open notes: pauses, sets the lowest limits, and removes the authoriser.
 */
async function closeEverything(): Promise<void> {
  const at = asAdmin()
  const least = { depositsPaused: true, maxDepositSeconds: 1 }
  const nothing = { depositMax: amount(0n), swapCap: amount(0n), swapPeriodSeconds: 1 }
  const { mints } = snapshot.world
  const instructions = [
    await setConfigInstruction(at, least),
    await setAssetInstruction({ ...at, mint: mints[0] }, { ...nothing, depositsPaused: true }),
    await setAssetInstruction({ ...at, mint: mints[1] }, { ...nothing, depositsPaused: true }),
    await rotateAuthoriserInstruction(at, { slot: 0 }),
  ]
  expectLanded(await sendAsAdmin(...instructions))
}

test('an admin cannot block open notes by lowering limits and pausing deposits', async () => {
  await closeEverything()
  for (const note of [4, 5, 6, 7]) {
    const delivery = settlementOf(snapshot, note, false)
    const before = heldNow(delivery.pocket)
    expect(await relay(snapshot, START + 60n, [delivery.instruction])).toBeUndefined()
    expect(heldNow(delivery.pocket) - before).toBe(delivery.settlement.payout)
  }
  for (const note of [12, 13, 14, 15]) {
    const { expiry } = settlementOf(snapshot, note, true)
    const refund = settlementOf(snapshot, note, true, expiry + 600n)
    const before = heldNow(refund.pocket)
    expect(await relay(snapshot, refund.settlement.time, [refund.instruction])).toBeUndefined()
    expect(heldNow(refund.pocket) - before).toBe(snapshot.orders[note]?.note.value)
  }
})

test('collecting every fee and the whole inventory takes nothing from pending refunds', async () => {
  const { fixture, mints, actors } = snapshot.world
  // Delivers a note of each asset, so that both assets have earned fees.
  for (const note of [4, 6]) {
    const delivery = settlementOf(snapshot, note, false)
    expect(await relay(snapshot, START + 60n, [delivery.instruction])).toBeUndefined()
  }
  for (const asset of [0, 1] as const) {
    const mint = mints[asset]
    const { fees, inventory } = await readAsset(fixture, mint)
    expect(fees).toBeGreaterThan(0n)
    const destination = await snapshot.world.pocket(actors.admins[0].address, asset)
    const at = { ...asAdmin(), mint, destination }
    const collect = await collectFeesInstruction(at, amount(fees))
    expectLanded(
      await sendAsAdmin(collect, await removeInventoryInstruction(at, amount(inventory))),
    )
    const more = [await collectFeesInstruction(at, amount(1n))]
    expect((await sendAsAdmin(...more)).refusal).toBe('InsufficientFees')
    const rest = [await removeInventoryInstruction(at, amount(1n))]
    expect((await sendAsAdmin(...rest)).refusal).toBe('InsufficientInventory')
    expect(await vaultBalance(fixture, mint)).toBe((await readAsset(fixture, mint)).owed)
  }
  for (const note of [1, 5, 9, 13]) {
    const last = settlementOf(
      snapshot,
      note,
      true,
      settlementOf(snapshot, note, true).expiry + 2_592_000n,
    )
    const before = heldNow(last.pocket)
    expect(await relay(snapshot, last.settlement.time, [last.instruction])).toBeUndefined()
    expect(heldNow(last.pocket) - before).toBe(snapshot.orders[note]?.note.value)
  }
})
