import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import type { Stage } from '../stage.ts'
import { shownTransfers } from './shown-transfers.ts'

/**
 * Records the amounts that the relayers must have paid by the end of the demo. These are transaction fees, and the rent
 * of the token accounts that they created for recipients. `bookRent` records the rent of Nullifiers, which returns
 * later.
 */
export async function bookRelayers(stage: Stage, relayers: readonly Address[]): Promise<void> {
  const { newest } = stage.before
  for (const relayer of relayers) {
    for (const { signature } of await stage.chain.history(relayer, newest.get(relayer))) {
      const { payer, fee } = await stage.chain.feeOf(signature)
      if (payer === relayer) stage.ledger.expect(relayer, NATIVE_MINT, -fee, 'transaction fees')
    }
  }
  for (const transfer of shownTransfers(stage)) {
    const { payer } = await stage.chain.feeOf(transfer.settleSignature)
    if (!relayers.includes(payer)) continue
    stage.ledger.expect(payer, NATIVE_MINT, -transfer.accountRent, "recipients' token accounts")
  }
}
