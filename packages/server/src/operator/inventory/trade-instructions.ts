import { getSetComputeUnitLimitInstruction } from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  AuthorityType,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { createNoopSigner, type Instruction } from '@solana/kit'
import {
  addInventoryInstruction,
  amount,
  NOTHING,
  removeInventoryInstruction,
  type Address,
  type Amount,
} from '@sotto/protocol'
import type { TradeAccounts, TradeSide } from './trade-accounts.ts'

/**
 * Compute unit limit of a trade. A route of Jupiter, the moves of the inventory and the guards together need less.
 */
export const COMPUTE_UNITS = 1_000_000

/** A trade that was agreed with a market. */
export interface AgreedTrade {
  readonly program: Address
  readonly accounts: TradeAccounts
  /** Base units that leave the inventory and are sold. */
  readonly amountIn: Amount
  /** The minimum amount that must arrive. It is added to the inventory in the same transaction. */
  readonly amountOutMin: Amount
  /** The market's instruction. */
  readonly swap: Instruction
  /** The maximum fee of the transaction, in lamports. */
  readonly feeMax: Amount
}

/**
 * Builds the whole trade as one transaction. It takes the sold amount out of the inventory, swaps it, and adds the
 * bought amount to the inventory. The swap is an instruction of the market, and it has the admin's signature.
 * Therefore, guards after the swap check the trade's accounts. They fail the whole transaction if an account has less
 * than the required amount, or has a new owner, delegate or close authority. The chain enforces the guards even if a
 * simulation showed a wrong result.
 */
export async function tradeInstructions(trade: AgreedTrade): Promise<Instruction[]> {
  const { accounts, amountIn, amountOutMin, swap } = trade
  const { sell, buy } = accounts
  return [
    getSetComputeUnitLimitInstruction({ units: COMPUTE_UNITS }),
    ...[sell, buy].flatMap((side) => creation(accounts, side)),
    await removeInventoryInstruction(
      { ...moveOf(trade, sell), destination: sell.isNative ? accounts.owner : sell.account },
      amountIn,
    ),
    ...(sell.isNative ? wrapping(accounts, sell, amountIn) : []),
    swap,
    ...guards(accounts, sell, NOTHING),
    ...guards(accounts, buy, amountOutMin),
    await addInventoryInstruction(
      { ...moveOf(trade, buy), source: buy.isNative ? accounts.owner : buy.account },
      amountOutMin,
    ),
    walletGuard(accounts, lamportsMin(trade)),
  ]
}

/** The arguments of an instruction that moves one side's inventory. */
export const moveOf = (
  { program, accounts }: Pick<AgreedTrade, 'program' | 'accounts'>,
  { mint, isNative, tokenProgram }: TradeSide,
) => ({
  ...{ program, admin: accounts.owner, mint },
  tokenProgram: isNative ? undefined : tokenProgram,
})

function creation({ owner }: TradeAccounts, side: TradeSide): Instruction[] {
  if (side.before !== undefined) return []
  const { account: ata, mint, tokenProgram } = side
  const payer = createNoopSigner(owner)
  return [getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint, tokenProgram })]
}

const wrapping = ({ owner }: TradeAccounts, { account }: TradeSide, units: Amount) => [
  getTransferSolInstruction({
    ...{ source: createNoopSigner(owner), destination: account, amount: units },
  }),
  getSyncNativeInstruction({ account }),
]

/**
 * Instructions that fail if the account has less than its former balance plus `added`. They transfer this amount from
 * the account to itself, which moves nothing but requires the balance. They also revoke every right that the swap may
 * have given to others. Revoking fails if the swap has given the account to another owner. An account of wrapped SOL is
 * closed instead, which unwraps the SOL.
 */
function guards({ owner }: TradeAccounts, side: TradeSide, added: Amount): Instruction[] {
  const { account, mint, decimals, before, tokenProgram } = side
  const at = { programAddress: tokenProgram }
  const units = (before?.tokens ?? 0n) + added
  const check =
    units === 0n
      ? []
      : [
          getTransferCheckedInstruction(
            {
              ...{ source: account, mint, destination: account, authority: owner },
              ...{ amount: units, decimals },
            },
            at,
          ),
        ]
  if (side.isNative) {
    return [...check, getCloseAccountInstruction({ account, destination: owner, owner }, at)]
  }
  return [
    ...check,
    getRevokeInstruction({ source: account, owner }, at),
    getSetAuthorityInstruction(
      {
        ...{ owned: account, owner, newAuthority: null },
        authorityType: AuthorityType.CloseAccount,
      },
      at,
    ),
  ]
}

/** An instruction that fails if the wallet has less than `lamports`, or is no longer an ordinary wallet. */
const walletGuard = ({ owner }: TradeAccounts, lamports: Amount): Instruction =>
  getTransferSolInstruction({
    ...{ source: createNoopSigner(owner), destination: owner, amount: lamports },
  })

/**
 * The minimum lamports that the wallet must have after the trade. The result is at least 1. A transfer of 0 lamports
 * would succeed even if the swap has assigned the wallet to another program.
 */
export function lamportsMin({ accounts, feeMax }: AgreedTrade): Amount {
  const spent = feeMax - lamportsGained(accounts)
  return amount(accounts.lamports > spent ? accounts.lamports - spent : 1n)
}

/**
 * The lamports that the wallet gains: closing accounts of wrapped SOL returns lamports, and new token accounts cost
 * rent. An account that the trade both creates and closes costs nothing.
 */
export function lamportsGained({ sell, buy }: TradeAccounts): bigint {
  const gained = ({ isNative, before, rent }: TradeSide): bigint => {
    if (isNative) return before?.lamports ?? 0n
    return before === undefined ? -rent : 0n
  }
  return gained(sell) + gained(buy)
}
