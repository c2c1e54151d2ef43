import type { Stage } from '../stage.ts'

/** On-chain cost of one transfer in lamports, without rent that is returned. */
export interface Cost {
  readonly transfer: string
  readonly deposit: bigint
  readonly settle: bigint
  /** Rent of an account that stays with the recipient. */
  readonly recipientAccount: bigint
  readonly total: bigint
}

export async function costs(stage: Stage): Promise<Cost[]> {
  return Promise.all(
    stage.transfers.map(async (one) => {
      const deposit = (await stage.chain.feeOf(one.depositSignature)).fee
      const settle = (await stage.chain.feeOf(one.settleSignature)).fee
      const recipientAccount = one.accountRent
      const total = deposit + settle + recipientAccount
      return { transfer: one.name, deposit, settle, recipientAccount, total }
    }),
  )
}
