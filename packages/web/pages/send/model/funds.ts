import { associatedTokenAddress, NATIVE_MINT, TOKEN_2022_PROGRAM } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import {
  getBase64Encoder,
  getU64Decoder,
  type Address,
  type GetMultipleAccountsApi,
  type Rpc,
} from '@solana/kit'

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
/** Of a token account in both token programs. */
const AMOUNT_OFFSET = 64

/** What a wallet holds, in base units. */
export interface Balances {
  /** Lamports. */
  readonly native: bigint
  /** Of the asset that is paid with; lamports too if that is SOL. */
  readonly source: bigint
}

/** Reads what a wallet holds of SOL and of an asset; an account that isn't there holds nothing. */
export async function readBalances(
  rpc: Rpc<GetMultipleAccountsApi>,
  wallet: Address,
  asset: Address,
): Promise<Balances> {
  const isNative = asset === NATIVE_MINT
  const programs = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
  const accounts = programs.map((program) => associatedTokenAddress(wallet, asset, program))
  const addresses = isNative ? [wallet] : [wallet, asset, ...(await Promise.all(accounts))]
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getMultipleAccounts(addresses, options).send()
  const [own, mint, ...tokens] = value
  const native = own?.lamports ?? 0n
  if (isNative) return { native, source: native }
  // Only the account of the program that keeps the mint counts.
  const token = tokens[programs.findIndex((program) => program === mint?.owner)] ?? undefined
  if (token === undefined || token.owner !== mint?.owner) return { native, source: 0n }
  const data = getBase64Encoder().encode(token.data[0])
  return { native, source: getU64Decoder().decode(data, AMOUNT_OFFSET) }
}

type MustHold = QuoteResponse['senderMustHold']

/** Lamports that a wallet needs beside the payment: fees, the order's rent, and its own minimum. */
export function costBeside(asset: string, { native, source }: MustHold): bigint {
  return asset === NATIVE_MINT ? BigInt(native) - BigInt(source) : BigInt(native)
}

/**
 * The most that a wallet can pay of an asset and still hold what the quote asks for beside it, within
 * the service's limit; zero if it can pay nothing.
 */
export function mostPayable(
  asset: string,
  { native, source }: Balances,
  cost: bigint,
  limit: bigint,
): bigint {
  if (native < cost) return 0n
  const most = asset === NATIVE_MINT ? native - cost : source
  return most < limit ? most : limit
}

/** What a wallet lacks of what a quote asks for, in base units; zero for what it has enough of. */
export function shortfall({ native, source }: Balances, mustHold: MustHold): Balances {
  const less = (needed: string, held: bigint) => {
    const missing = BigInt(needed) - held
    return missing > 0n ? missing : 0n
  }
  return { native: less(mustHold.native, native), source: less(mustHold.source, source) }
}
