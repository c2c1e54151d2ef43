import { NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { systemClock } from '../../adapters/clock/system-clock.ts'
import type { Clock } from '../../ports/clock.ts'
import { overviewReader } from './read-overview.ts'
import { runwayReader } from './read-runways.ts'

const NOW_MS = 1_800_000_000_000
/** A clock whose pauses are short, because the test waits for a node that never answers. */
const clock: Clock = { nowMs: () => NOW_MS, sleep: (_ms, signal) => systemClock.sleep(50, signal) }

const NONE = { paidOut: 0n, takenIn: 0n }
const SOL = { mint: NATIVE_MINT, symbol: 'SOL', decimals: 9 }
const AMOUNTS = { held: 9n, rent: 1n, owed: 4n, fees: 2n, inventory: 3n }

/**
 * Reads the vaults. `readInventories` simulates a node that returns the inventories, or a node that fails or never
 * answers.
 */
async function vaultsIf(readInventories: () => Promise<readonly bigint[]>): Promise<unknown> {
  const record = { ...SOL, isSwappable: true, reserved: 0n, ...NONE, lately: NONE }
  const readRunways = runwayReader({
    store: { readInventories: async () => [record] as never },
    readInventories: readInventories as never,
    clock,
  })
  const open = { awaitingDeposit: 0, delivering: 0, refunding: 0 }
  const followed = { slot: 1n, unixSeconds: unixSeconds(1n), atMs: NOW_MS }
  const unknown = {
    ...{ halted: undefined, books: undefined, liquidity: undefined },
    hasPaidPayees: true,
  }
  const books = { slot: 1n, nextLeaf: 0n, root: 0n, assets: [{ mint: NATIVE_MINT, ...AMOUNTS }] }
  const read = overviewReader({
    store: {
      readOverview: async () => ({ open, followed, ...unknown }),
      readAssets: async () => [SOL],
      readAnonymitySpans: async () => [],
    },
    ...{ clock, readRunways, settlement: () => undefined, troubles: () => [] },
    readBooks: async () => books as never,
    unfollowedSeconds: 120,
    about: { cluster: 'localnet', roles: ['api'] },
  })
  const text = JSON.stringify(await read())
  return (JSON.parse(text) as { vaults: unknown }).vaults
}

const SHOWN = {
  ...{ symbol: 'SOL', decimals: 9, held: '9', owed: '4', fees: '2', inventory: '3' },
  covers: true,
}

it('the console shows how long an inventory will last', async () => {
  expect(await vaultsIf(async () => [3n])).toEqual([{ ...SHOWN, dryHours: 720 }])
})

it('the console shows the vaults although it is unknown how long the inventories will last', async () => {
  expect(await vaultsIf(() => new Promise(() => undefined))).toEqual([SHOWN])
  expect(await vaultsIf(() => Promise.reject(new Error('no node answers')))).toEqual([SHOWN])
})
