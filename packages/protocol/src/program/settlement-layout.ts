import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token'
import { createNoopSigner, type Address, type Instruction } from '@solana/kit'
import { NATIVE_MINT } from '../constants.ts'
import { associatedTokenAddress } from './addresses.ts'
import { settleInstruction, type SettleAccounts, type Settlement } from './instructions/settle.ts'

/** Compute units a settlement may use, account creation included; measured figures are below it. */
export const SETTLE_COMPUTE_UNITS = 220_000

/**
 * The one instruction layout of every settlement of an asset, so that settlements can't be told apart
 * by their shape: budget, price, for tokens the idempotent creation of the payee's account, settle.
 */
export async function settlementLayout(
  at: SettleAccounts,
  mint: Address,
  settlement: Settlement,
  microLamportsPerUnit: bigint,
): Promise<Instruction[]> {
  const layout: Instruction[] = [
    getSetComputeUnitLimitInstruction({ units: SETTLE_COMPUTE_UNITS }),
    getSetComputeUnitPriceInstruction({ microLamports: microLamportsPerUnit }),
  ]
  if (mint !== NATIVE_MINT) {
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
