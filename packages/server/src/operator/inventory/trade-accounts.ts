import {
  getMultisigSize,
  getTokenDecoder,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
  type Token,
} from '@solana-program/token'
import {
  amount,
  associatedTokenAddress,
  NATIVE_MINT,
  shownMint,
  TOKEN_2022_PROGRAM,
  type Address,
  type Amount,
} from '@sotto/protocol'
import { readAccounts, type RawAccount } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { OperatorError } from '../../start/operator-error.ts'

/**
 * The owner's token account for one side of a trade. Markets trade wrapped SOL, so the account for SOL is the account
 * of wrapped SOL.
 */
export interface TradeSide {
  readonly mint: Address
  readonly isNative: boolean
  readonly tokenProgram: Address
  readonly decimals: number
  readonly account: Address
  /** The account's balances before the trade; undefined if the account must be created. */
  readonly before: { readonly tokens: Amount; readonly lamports: Amount } | undefined
  /** The rent of a new account, in lamports. */
  readonly rent: Amount
}

/** The accounts of a trade's owner, who is the pool's admin and pays the fee. */
export interface TradeAccounts {
  readonly owner: Address
  /** The wallet's lamports before the trade. */
  readonly lamports: Amount
  readonly sell: TradeSide
  readonly buy: TradeSide
}

const NATIVE_DECIMALS = 9
/** Size of an associated account of Token-2022, in bytes. It includes the extension `ImmutableOwner`. */
const TOKEN_2022_BYTES = 170

/** Reads a trade's accounts at `confirmed`. @throws OperatorError. */
export async function readTradeAccounts(
  rpc: ChainRpc,
  owner: Address,
  sellMint: Address,
  buyMint: Address,
): Promise<TradeAccounts> {
  const options = { commitment: 'confirmed' } as const
  const { accounts: mints } = await readAccounts(rpc, [sellMint, buyMint], options)
  const sell = await locate(rpc, owner, sellMint, mints[0])
  const buy = await locate(rpc, owner, buyMint, mints[1])
  const read = await readAccounts(rpc, [owner, sell.account, buy.account], options)
  const [wallet, sold, bought] = read.accounts
  if (wallet === undefined)
    throw new OperatorError(`the admin's wallet ${owner} has no SOL for fees`)
  return {
    ...{ owner, lamports: wallet.lamports },
    sell: { ...sell, before: beforeOf(sold) },
    buy: { ...buy, before: beforeOf(bought) },
  }
}

async function locate(
  rpc: ChainRpc,
  owner: Address,
  mint: Address,
  account: RawAccount | undefined,
): Promise<Omit<TradeSide, 'before'>> {
  const isNative = mint === NATIVE_MINT
  const shown = isNative
    ? { tokenProgram: TOKEN_PROGRAM_ADDRESS, decimals: NATIVE_DECIMALS }
    : shownMint(account)
  if (shown === undefined) throw new OperatorError(`${mint} is not a mint on this cluster`)
  const { tokenProgram, decimals } = shown
  const bytes = tokenProgram === TOKEN_2022_PROGRAM ? TOKEN_2022_BYTES : getTokenSize()
  const rent = await rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send()
  return {
    ...{ mint, isNative, tokenProgram, decimals },
    account: await associatedTokenAddress(owner, mint, tokenProgram),
    rent: amount(rent),
  }
}

function beforeOf(account: RawAccount | undefined): TradeSide['before'] {
  const token = tokenOf(account)
  if (account === undefined || token === undefined) return undefined
  return { tokens: amount(token.amount), lamports: account.lamports }
}

/** If an account has extensions, Token-2022 stores the kind of account after the bytes of a token account. */
const [KIND_OFFSET, TOKEN_KIND] = [getTokenSize(), 2]

/**
 * Decodes a token account. Returns undefined for any other account. The length alone isn't enough, because a mint with
 * extensions or a multisig can be as long as a token account.
 */
export function tokenOf(account: RawAccount | undefined): Token | undefined {
  if (account === undefined) return undefined
  const { owner, data } = account
  const is2022 = owner === TOKEN_2022_PROGRAM
  if (!is2022 && owner !== TOKEN_PROGRAM_ADDRESS) return undefined
  const isExtended = is2022 && data[KIND_OFFSET] === TOKEN_KIND && data.length !== getMultisigSize()
  return data.length === getTokenSize() || isExtended ? getTokenDecoder().decode(data) : undefined
}
