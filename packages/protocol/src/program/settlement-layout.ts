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
 * Compute limit of a settlement, including the creation of an account. Measured settlements use less. About one payee
 * in a million needs more units, because the search for the bump of its token account takes more tries.
 */
export const SETTLE_COMPUTE_UNITS = 250_000

/**
 * The instructions of a settlement: compute limit, compute price, settle. If the asset is a token and `opensAccount` is
 * true, an instruction before settle creates the payee's token account. The creation is idempotent, and the payer pays
 * the rent. Apart from this instruction, all settlements of one asset have the same layout, so an observer can't
 * distinguish deliveries, refunds and payments by their layout. The price is one of `UNIT_PRICES`.
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
