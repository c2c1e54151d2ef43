import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token'
import { createNoopSigner, type Address, type Instruction } from '@solana/kit'
import { NATIVE_MINT } from '../constants.ts'
import { associatedTokenAddress } from './addresses.ts'
import { settleInstruction, type SettleAccounts, type Settlement } from './instructions/settle.ts'

/**
 * Compute units that a settlement may use, including an account's creation; measured settlements use less. About one
 * payee in a million needs more, because the bump of its token account takes longer to find.
 */
export const SETTLE_COMPUTE_UNITS = 250_000

/**
 * The instructions of a settlement: budget, price, settle. For tokens, the creation of the payee's account comes before
 * settle if `opensAccount` is true; the creation is idempotent, and the payer pays the rent. Within one asset,
 * settlements of all kinds have this layout, so that their form doesn't distinguish them. The price is one of
 * `UNIT_PRICES`.
 */
export async function settlementLayout(
  at: SettleAccounts,
  mint: Address,
  settlement: Settlement,
  microLamportsPerUnit: bigint,
  opensAccount: boolean,
): Promise<Instruction[]> {
  const layout: Instruction[] = [
    getSetComputeUnitLimitInstruction({ units: SETTLE_COMPUTE_UNITS }),
    getSetComputeUnitPriceInstruction({ microLamports: microLamportsPerUnit }),
  ]
  if (opensAccount && mint !== NATIVE_MINT) {
    layout.push(
      getCreateAssociatedTokenIdempotentInstruction({
        payer: createNoopSigner(at.payer),
        ata: await associatedTokenAddress(settlement.payee, mint, at.tokenProgram),
        owner: settlement.payee,
        mint,
        ...(at.tokenProgram === undefined ? {} : { tokenProgram: at.tokenProgram }),
      }),
    )
  }
  layout.push(await settleInstruction(at, mint, settlement))
  return layout
}
