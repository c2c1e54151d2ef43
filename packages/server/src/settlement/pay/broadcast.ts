import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/**
 * Sends a journalled transaction, for the first time or again: it is the same transaction and can
 * land only once. Silence and errors prove nothing, so they change nothing.
 */
export async function broadcast(
  d: { readonly chain: ChainPay; readonly log: SettlementLog },
  wire: Uint8Array,
): Promise<void> {
  try {
    await d.chain.broadcast(wire)
  } catch (error) {
    d.log.failed('broadcast', error)
  }
}
