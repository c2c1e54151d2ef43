import { RELAYER_LAMPORTS } from '../actors/setting.ts'
import type { World } from './world.ts'

/** A balance in lamports that is too small for one settlement. */
const DRY = 1_000_000n
const TOP_UP_MS = 600_000

/**
 * Lowers the balance of one relayer or of all relayers, as if lamports were spent outside the service. After a while,
 * an operator tops up these relayers.
 */
export function disturbRelayers(world: World): void {
  const { chain, faults, parties, timeline } = world
  if (!faults.fires('relayers_dry', 'operator')) return
  const isAll = faults.random.chance(0.5)
  const dry = isAll ? parties.relayers : parties.relayers.slice(0, 1)
  const set = (amount: bigint) => {
    for (const { address } of dry) {
      chain.intervene((ledger, position) => {
        const before = ledger.lamportsOf(address, position)
        ledger.lamports.write(address, position, amount)
        world.watch.changeLamports(amount - before)
      })
    }
  }
  set(DRY)
  timeline.after(faults.random.between(TOP_UP_MS / 10, TOP_UP_MS), () => {
    world.trace.add(timeline.nowMs, 'operator', 'tops relayers up')
    set(RELAYER_LAMPORTS)
  })
}
