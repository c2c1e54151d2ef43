import type { QuoteResponse } from '@sotto/contract'
import {
  associatedTokenAddress,
  NATIVE_MINT,
  parseAmount,
  TOKEN_2022_PROGRAM,
  type Address,
} from '@sotto/protocol'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { getBase64Encoder, getU64Decoder, type GetMultipleAccountsApi, type Rpc } from '@solana/kit'
import { InsufficientFundsError, type MissingFunds } from './errors.ts'

/** A wallet and what it has to hold to pay. */
export interface FundsToHold {
  readonly senderAddress: string
  readonly sourceAssetId: string
  /** As it came with the quote; base units. */
  readonly senderMustHold: QuoteResponse['senderMustHold']
}

/** Where a token account holds its amount, and a mint its decimals, in both token programs. */
const AMOUNT_OFFSET = 64
const DECIMALS_OFFSET = 44
const NATIVE_DECIMALS = 9

interface Shortage extends MissingFunds {
  readonly decimals: number | undefined
}

/** What a wallet lacks at `confirmed`, by the own node and in one request. */
export async function missingFunds(
  rpc: Rpc<GetMultipleAccountsApi>,
  funds: FundsToHold,
): Promise<MissingFunds> {
  const { native, source } = await readShortage(rpc, funds)
  return { native, source }
}

async function readShortage(
  rpc: Rpc<GetMultipleAccountsApi>,
  { senderAddress, sourceAssetId, senderMustHold }: FundsToHold,
): Promise<Shortage> {
  const [sender, mint] = [senderAddress as Address, sourceAssetId as Address]
  const isNative = mint === NATIVE_MINT
  const programs = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM]
  const tokens = programs.map((program) => associatedTokenAddress(sender, mint, program))
  const addresses = isNative ? [sender] : [sender, mint, ...(await Promise.all(tokens))]
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getMultipleAccounts(addresses, options).send()
  const [wallet, minted, ...accounts] = value
  const native = less(senderMustHold.native, wallet?.lamports ?? 0n)
  if (isNative) return { native, source: 0n, decimals: undefined }
  // The account of the program that keeps the mint, whoever else made one under the other's name.
  const account = accounts[programs.findIndex((program) => program === minted?.owner)]
  const bytes = (text: string) => new Uint8Array(getBase64Encoder().encode(text))
  const data = account?.owner === minted?.owner ? account?.data[0] : undefined
  const held = data === undefined ? 0n : getU64Decoder().decode(bytes(data), AMOUNT_OFFSET)
  const decimals = minted ? bytes(minted.data[0])[DECIMALS_OFFSET] : undefined
  return { native, source: less(senderMustHold.source, held), decimals }
}

/** What of an amount is missing; an amount that none can read asks for nothing. */
function less(needed: string, held: bigint): bigint {
  const missing = (parseAmount(needed) ?? 0n) - held
  return missing > 0n ? missing : 0n
}

/** @throws InsufficientFundsError that says how much is missing. */
export async function assertFunds(
  rpc: Rpc<GetMultipleAccountsApi>,
  funds: FundsToHold,
): Promise<void> {
  const { native, source, decimals } = await readShortage(rpc, funds)
  if (native === 0n && source === 0n) return
  const parts = [
    ...(native === 0n ? [] : [`${units(native, NATIVE_DECIMALS)} SOL`]),
    ...(source === 0n ? [] : [`${units(source, decimals)} of the token that it pays with`]),
  ]
  throw new InsufficientFundsError(`the sender's wallet lacks ${parts.join(' and ')}`, {
    native,
    source,
  })
}

/** Base units as a decimal number; as they are without decimals. */
function units(amount: bigint, decimals: number | undefined): string {
  if (decimals === undefined) return `${amount} base units`
  const digits = `${amount}`.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  return `${digits.slice(0, at)}.${digits.slice(at)}`.replace(/\.?0*$/, '')
}
