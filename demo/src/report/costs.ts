import type { Stage, UsedBalance } from '../stage.ts'
import { shownTransfers } from './shown-transfers.ts'

/**
 * The cost on the chain of one transfer, or of one step of a balance, in lamports. It doesn't include rent that
 * returns.
 */
export interface Cost {
  readonly transfer: string
  readonly deposit: bigint
  readonly settle: bigint
  /** Rent of a token account that was created for the recipient, who keeps it. */
  readonly recipientAccount: bigint
  readonly total: bigint
}

export async function costs(stage: Stage): Promise<Cost[]> {
  const ofBalances = await Promise.all(stage.balances.map((one) => costsOfBalance(stage, one)))
  return [...(await costsOfTransfers(stage)), ...ofBalances.flat()]
}

const feeOf = async ({ chain }: Stage, signature: string): Promise<bigint> =>
  (await chain.feeOf(signature)).fee

/** The costs of a balance. The top-up and each payment are separate rows, because each has its own transaction. */
async function costsOfBalance(stage: Stage, balance: UsedBalance): Promise<Cost[]> {
  const { name, depositSignature, payments, returnSignature } = balance
  const deposit = await feeOf(stage, depositSignature)
  const none = { deposit: 0n, settle: 0n, recipientAccount: 0n }
  const settled = [
    ...payments.map(({ signature }, index) => ({ step: `payment ${index + 1}`, signature })),
    { step: 'return', signature: returnSignature },
  ]
  const rows = settled.map(async ({ step, signature }) => {
    const settle = await feeOf(stage, signature)
    return { transfer: `${name}, ${step}`, ...none, settle, total: settle }
  })
  return [
    { transfer: `${name}, top-up`, ...none, deposit, total: deposit },
    ...(await Promise.all(rows)),
  ]
}

function costsOfTransfers(stage: Stage): Promise<Cost[]> {
  return Promise.all(
    shownTransfers(stage).map(async (one) => {
      const deposit = await feeOf(stage, one.depositSignature)
      const settle = await feeOf(stage, one.settleSignature)
      const recipientAccount = one.accountRent
      const total = deposit + settle + recipientAccount
      return { transfer: one.name, deposit, settle, recipientAccount, total }
    }),
  )
}
