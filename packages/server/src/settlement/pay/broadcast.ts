import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

/**
 * Sends a journalled transaction, for the first time or again. The bytes are the same each time, so the transaction can
 * land only once. An error or a missing answer doesn't show whether the transaction landed. So the order isn't changed
 * here.
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
