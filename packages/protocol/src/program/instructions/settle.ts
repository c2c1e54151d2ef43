import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  fixDecoderSize,
  fixEncoderSize,
  getAddressDecoder,
  getAddressEncoder,
  getBytesDecoder,
  getBytesEncoder,
  getI64Decoder,
  getI64Encoder,
  getStructDecoder,
  getStructEncoder,
  getU16Decoder,
  getU16Encoder,
  getU64Decoder,
  getU64Encoder,
  getU8Decoder,
  getU8Encoder,
  type Address,
  type Instruction,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { NATIVE_MINT } from '../../constants.ts'
import { fieldFromBytes, fieldToBytes } from '../../field.ts'
import { amount, unixSeconds, type Amount, type UnixSeconds } from '../../units.ts'
import {
  assetAddress,
  associatedTokenAddress,
  nullifierAddress,
  poolAddress,
  vaultAddress,
} from '../addresses.ts'
import { readonly, TAG, writable, writableSigner } from './meta.ts'

export const PROOF_BYTES = 256

/** The place on chain of the root against which a note is proved. */
export interface RootPlace {
  readonly kind: 'recent' | 'checkpoint'
  /** Index of the root in the Tree's ring of recent roots, or in its list of checkpoints. */
  readonly index: number
}

export interface Settlement {
  readonly isRefund: boolean
  readonly root: RootPlace
  readonly nullifier: bigint
  /** The amount that the payee gets, in base units. */
  readonly payout: Amount
  /** The amount that is added to the asset's fees, in base units; 0 for a refund. */
  readonly fee: Amount
  /** The wallet that is paid; for a refund, this is the sender. */
  readonly payee: Address
  /** The leaf of the change note. */
  readonly changeLeaf: bigint
  readonly time: UnixSeconds
  readonly proof: Uint8Array
}

const bytes = (size: number) => fixEncoderSize(getBytesEncoder(), size)
const bytesBack = (size: number) => fixDecoderSize(getBytesDecoder(), size)
const encoder = getStructEncoder([
  ['tag', getU8Encoder()],
  ['flags', getU8Encoder()],
  ['rootKind', getU8Encoder()],
  ['rootIndex', getU16Encoder()],
  ['nullifier', bytes(32)],
  ['payout', getU64Encoder()],
  ['fee', getU64Encoder()],
  ['payee', getAddressEncoder()],
  ['changeLeaf', bytes(32)],
  ['time', getI64Encoder()],
  ['proof', bytes(PROOF_BYTES)],
])
const decoder = getStructDecoder([
  ['tag', getU8Decoder()],
  ['flags', getU8Decoder()],
  ['rootKind', getU8Decoder()],
  ['rootIndex', getU16Decoder()],
  ['nullifier', bytesBack(32)],
  ['payout', getU64Decoder()],
  ['fee', getU64Decoder()],
  ['payee', getAddressDecoder()],
  ['changeLeaf', bytesBack(32)],
  ['time', getI64Decoder()],
  ['proof', bytesBack(PROOF_BYTES)],
])
const DATA_BYTES = 381

/** Addresses that a settlement needs in addition to its note. */
export interface SettleAccounts {
  readonly program: Address
  readonly tree: Address
  /** The wallet that pays the transaction fee and the rent. */
  readonly payer: Address
  /** The program that owns the note's mint; the default is SPL Token. */
  readonly tokenProgram?: Address | undefined
}

/**
 * Pays from a note, as its proof states. Anyone may call this instruction. `payer` pays the transaction fee and the
 * rent.
 */
export async function settleInstruction(
  at: SettleAccounts,
  mint: Address,
  settlement: Settlement,
): Promise<Instruction> {
  const isNative = mint === NATIVE_MINT
  const tokenProgram = at.tokenProgram ?? TOKEN_PROGRAM_ADDRESS
  const payeeAccount = isNative
    ? settlement.payee
    : await associatedTokenAddress(settlement.payee, mint, tokenProgram)
  const accounts = [
    writableSigner(at.payer),
    readonly(await poolAddress(at.program)),
    writable(at.tree),
    writable(await assetAddress(at.program, mint)),
    writable(await vaultAddress(at.program, mint)),
    writable(await nullifierAddress(at.program, settlement.nullifier)),
    writable(payeeAccount),
    readonly(SYSTEM_PROGRAM_ADDRESS),
    ...(isNative ? [] : [readonly(mint), readonly(tokenProgram)]),
  ]
  const data = encoder.encode({
    ...settlement,
    tag: TAG.settle,
    flags: settlement.isRefund ? 1 : 0,
    rootKind: settlement.root.kind === 'recent' ? 0 : 1,
    rootIndex: settlement.root.index,
    nullifier: fieldToBytes(settlement.nullifier),
    changeLeaf: fieldToBytes(settlement.changeLeaf),
  })
  return { programAddress: at.program, accounts, data }
}

/** Reads a settlement from instruction data; undefined for any other instruction. */
export function decodeSettle(data: ReadonlyUint8Array): Settlement | undefined {
  if (data[0] !== TAG.settle || data.length !== DATA_BYTES) return undefined
  const fields = decoder.decode(data)
  return {
    isRefund: fields.flags === 1,
    root: { kind: fields.rootKind === 0 ? 'recent' : 'checkpoint', index: fields.rootIndex },
    nullifier: fieldFromBytes(new Uint8Array(fields.nullifier)),
    payout: amount(fields.payout),
    fee: amount(fields.fee),
    payee: fields.payee,
    changeLeaf: fieldFromBytes(new Uint8Array(fields.changeLeaf)),
    time: unixSeconds(fields.time),
    proof: new Uint8Array(fields.proof),
  }
}
