import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  fixDecoderSize,
  getBytesDecoder,
  getI64Decoder,
  getStructDecoder,
  getU64Decoder,
  getU8Decoder,
  type AccountMeta,
  type Address,
  type Instruction,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { ByteWriter } from '../../byte-writer.ts'
import { ED25519_PROGRAM, INSTRUCTIONS_SYSVAR, NATIVE_MINT } from '../../constants.ts'
import { fieldFromBytes, fieldToBytes } from '../../field.ts'
import type { DepositTerms } from '../../terms.ts'
import { amount, unixSeconds, type Amount, type UnixSeconds } from '../../units.ts'
import { assetAddress, orderAddress, poolAddress, vaultAddress } from '../addresses.ts'
import { readonly, TAG, writable, writableSigner } from './meta.ts'

export const PAYLOAD_BYTES = 65
const bytesBack = (size: number) => fixDecoderSize(getBytesDecoder(), size)

const decoder = getStructDecoder([
  ['tag', getU8Decoder()],
  ['flags', getU8Decoder()],
  ['orderId', bytesBack(16)],
  ['amountIn', getU64Decoder()],
  ['value', getU64Decoder()],
  ['partnerFee', getU64Decoder()],
  ['deadline', getI64Decoder()],
  ['validUntil', getI64Decoder()],
  ['inner', bytesBack(32)],
  ['payload', bytesBack(PAYLOAD_BYTES)],
])
const DATA_BYTES = 155
const SWAP_FLAG = 1

/** Addresses that a deposit needs in addition to its terms. */
export interface DepositAccounts {
  readonly program: Address
  readonly tree: Address
  /** The sender's token account. It is needed only if the source asset is a token. */
  readonly senderToken?: Address | undefined
  /** The program that owns the source's mint; the default is SPL Token. */
  readonly tokenProgram?: Address | undefined
}

/**
 * The instruction that makes an order's deposit. It is the order's only instruction that needs the sender's signature.
 */
export async function depositInstruction(
  at: DepositAccounts,
  terms: DepositTerms,
): Promise<Instruction> {
  const isSwap = terms.sourceMint !== terms.destinationMint
  const accounts: AccountMeta[] = [
    writableSigner(terms.sender),
    readonly(await poolAddress(at.program)),
    writable(at.tree),
    writable(await orderAddress(at.program, terms.orderId)),
    writable(await assetAddress(at.program, terms.sourceMint)),
    writable(await vaultAddress(at.program, terms.sourceMint)),
    readonly(INSTRUCTIONS_SYSVAR),
    readonly(SYSTEM_PROGRAM_ADDRESS),
  ]
  if (isSwap) accounts.push(writable(await assetAddress(at.program, terms.destinationMint)))
  if (terms.sourceMint !== NATIVE_MINT) {
    if (at.senderToken === undefined) throw new Error('a token deposit needs its token account')
    accounts.push(writable(at.senderToken))
    accounts.push(readonly(terms.sourceMint))
    accounts.push(readonly(at.tokenProgram ?? TOKEN_PROGRAM_ADDRESS))
  }
  if (terms.partnerFee > 0n) {
    if (terms.partnerAccount === undefined) throw new Error('a partner fee needs its account')
    accounts.push(writable(terms.partnerAccount))
  }
  const data = new ByteWriter(DATA_BYTES)
    .u8(TAG.deposit)
    .u8(isSwap ? SWAP_FLAG : 0)
    .bytes(terms.orderId, 16)
    .u64(terms.amountIn)
    .u64(terms.value)
    .u64(terms.partnerFee)
    .i64(terms.deadline)
    .i64(terms.validUntil)
    .bytes(fieldToBytes(terms.inner), 32)
    .bytes(terms.payload, PAYLOAD_BYTES)
    .done()
  return { programAddress: at.program, accounts, data }
}

/** The ed25519 precompile's instruction, which must be directly before the deposit. */
export function authorisationInstruction(
  authoriser: ReadonlyUint8Array,
  signature: ReadonlyUint8Array,
  digest: ReadonlyUint8Array,
): Instruction {
  const data = new Uint8Array(144)
  data.set([1, 0, 48, 0, 0xff, 0xff, 16, 0, 0xff, 0xff, 112, 0, 32, 0, 0xff, 0xff])
  data.set(authoriser, 16)
  data.set(signature, 48)
  data.set(digest, 112)
  return { programAddress: ED25519_PROGRAM, accounts: [], data }
}

/**
 * The content of a deposit's instruction. It doesn't contain the mints, because the instruction's accounts identify
 * them.
 */
export interface DepositData {
  readonly isSwap: boolean
  readonly orderId: Uint8Array
  readonly amountIn: Amount
  readonly value: Amount
  readonly partnerFee: Amount
  readonly deadline: UnixSeconds
  readonly validUntil: UnixSeconds
  readonly inner: bigint
  readonly payload: Uint8Array
  readonly sender: Address
  readonly order: Address
  /** The Asset accounts of the source and the destination. For a send, both are the same account. */
  readonly sourceAsset: Address
  readonly destinationAsset: Address
}

/** Reads a deposit from instruction data and accounts; undefined for any other instruction. */
export function decodeDeposit(
  data: ReadonlyUint8Array,
  accounts: readonly Address[],
): DepositData | undefined {
  if (data[0] !== TAG.deposit || data.length !== DATA_BYTES) return undefined
  const { tag: _tag, flags, ...fields } = decoder.decode(data)
  const [sender, , , order, sourceAsset, , , , swapAsset] = accounts
  const isSwap = flags === SWAP_FLAG
  const destinationAsset = isSwap ? swapAsset : sourceAsset
  if (!sender || !order || !sourceAsset || !destinationAsset) return undefined
  return {
    isSwap,
    orderId: new Uint8Array(fields.orderId),
    amountIn: amount(fields.amountIn),
    value: amount(fields.value),
    partnerFee: amount(fields.partnerFee),
    deadline: unixSeconds(fields.deadline),
    validUntil: unixSeconds(fields.validUntil),
    inner: fieldFromBytes(new Uint8Array(fields.inner)),
    payload: new Uint8Array(fields.payload),
    sender,
    order,
    sourceAsset,
    destinationAsset,
  }
}
