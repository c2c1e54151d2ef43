import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/**
 * Sends a journalled transaction, for the first time or again. It is the same transaction each time, so it can land
 * only once. A missing answer or an error proves nothing about its landing, so neither changes the order.
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
