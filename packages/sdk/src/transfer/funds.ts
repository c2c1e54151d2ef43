import type { QuoteResponse } from '@sotto/contract'
import {
  associatedTokenAddress,
  NATIVE_MINT,
  showDecimal,
  shownMint,
  TOKEN_2022_PROGRAM,
  type Address,
  amount,
  NOTHING,
  type Amount,
} from '@sotto/protocol'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { getBase64Encoder, getU64Decoder, type GetMultipleAccountsApi, type Rpc } from '@solana/kit'
import { InsufficientFundsError, type MissingFunds } from './errors.ts'

/** A wallet, and the amounts that it must hold to pay. */
export interface FundsToHold {
  readonly senderAddress: string
  readonly sourceAssetId: string
  /** The required amounts from the quote, in base units. */
  readonly senderMustHold: QuoteResponse['senderMustHold']
}

/** A wallet's balances, in base units. */
export interface Balances {
  /** Lamports. */
  readonly native: Amount
  /** Base units of the source asset. If the source asset is SOL, this amount includes the lamports for fees. */
  readonly source: Amount
  /** Decimals of the asset; undefined if the node shows no mint at the asset's address. */
  readonly decimals: number | undefined
}

/** Byte offset of the amount in a token account. It is the same in both token programs. */
const AMOUNT_OFFSET = 64
const NATIVE_DECIMALS = 9
/** Accept numbers of more than 64 bits, because an amount plus its fees may exceed 64 bits. */
const DIGITS = /^\d+$/

/** A wallet's balances of SOL and of one asset at `confirmed`, read in one request. A missing account counts as 0. */
export async function readBalances(
  rpc: Rpc<GetMultipleAccountsApi>,
  wallet: Address,
  asset: Address,
): Promise<Balances> {
  const isNative = asset === NATIVE_MINT
  const programs = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM]
  const tokens = programs.map((program) => associatedTokenAddress(wallet, asset, program))
  const addresses = isNative ? [wallet] : [wallet, asset, ...(await Promise.all(tokens))]
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getMultipleAccounts(addresses, options).send()
  const [own, mint, ...accounts] = value
  const native = amount(own?.lamports ?? 0n)
  if (isNative) return { native, source: native, decimals: NATIVE_DECIMALS }
  const bytes = (text: string) => getBase64Encoder().encode(text)
  const shown = mint ? shownMint({ owner: mint.owner, data: bytes(mint.data[0]) }) : undefined
  // The accounts of both token programs were read. Only the account of the program that owns the mint counts.
  const account = accounts[programs.findIndex((program) => program === shown?.tokenProgram)]
  const isToken = account && account.owner === shown?.tokenProgram
  const source = isToken
    ? amount(getU64Decoder().decode(bytes(account.data[0]), AMOUNT_OFFSET))
    : NOTHING
  return { native, source, decimals: shown?.decimals }
}

/**
 * The amounts that a wallet lacks to pay a quote, in base units. A member is 0 if the wallet has enough. If a
 * required amount can't be read, it counts as 0, because the node checks the transaction anyway.
 */
export function shortfall(
  asset: string,
  { native, source }: Pick<Balances, 'native' | 'source'>,
  mustHold: QuoteResponse['senderMustHold'],
): MissingFunds {
  const less = (needed: string, held: Amount) => {
    const missing = (DIGITS.test(needed) ? BigInt(needed) : 0n) - held
    return missing > 0n ? missing : 0n
  }
  // If the source is SOL, `native` already covers the source amount.
  const isNative = asset === NATIVE_MINT
  return {
    native: less(mustHold.native, native),
    source: isNative ? 0n : less(mustHold.source, source),
  }
}

/** The amounts that a wallet lacks, read at `confirmed` from the caller's own node in one request. */
export async function missingFunds(
  rpc: Rpc<GetMultipleAccountsApi>,
  funds: FundsToHold,
): Promise<MissingFunds> {
  return shortfall(funds.sourceAssetId, await read(rpc, funds), funds.senderMustHold)
}

/** @throws InsufficientFundsError that says how much is missing. */
export async function assertFunds(
  rpc: Rpc<GetMultipleAccountsApi>,
  funds: FundsToHold,
): Promise<void> {
  const balances = await read(rpc, funds)
  const missing = shortfall(funds.sourceAssetId, balances, funds.senderMustHold)
  const { native, source } = missing
  if (native === 0n && source === 0n) return
  const { decimals } = balances
  const shown = decimals === undefined ? `${source} base units` : showDecimal(source, decimals)
  const parts = [
    ...(native === 0n ? [] : [`${showDecimal(native, NATIVE_DECIMALS)} SOL`]),
    ...(source === 0n ? [] : [`${shown} of the token with which it pays`]),
  ]
  throw new InsufficientFundsError(`the sender's wallet lacks ${parts.join(' and ')}`, missing)
}

const read = (
  rpc: Rpc<GetMultipleAccountsApi>,
  { senderAddress, sourceAssetId }: FundsToHold,
): Promise<Balances> => readBalances(rpc, senderAddress as Address, sourceAssetId as Address)
