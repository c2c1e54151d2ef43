import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  fixEncoderSize,
  getAddressCodec,
  getAddressEncoder,
  getBytesEncoder,
  getStructCodec,
  getStructEncoder,
  getU32Encoder,
  getU8Codec,
  getU8Encoder,
  type Address,
  type Instruction,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { poolAddress, programDataAddress } from '../addresses.ts'
import { readonly, signer, TAG, writable, writableSigner } from './meta.ts'

const bytes = (size: number) => fixEncoderSize(getBytesEncoder(), size)

export interface PoolLimits {
  /** At most MAX_DEPOSIT_SECONDS. */
  readonly maxDepositSeconds: number
}

export interface InitializeTerms extends PoolLimits {
  readonly admin: Address
  /** One or two ed25519 public keys. */
  readonly authorisers: readonly [Address] | readonly [Address, Address]
  /**
   * 32 random bytes, a big-endian field element. They bind signatures and notes to this pool: the signatures and notes
   * of a pool with another domain are invalid here.
   */
  readonly domain: Uint8Array
}

const initializeEncoder = getStructEncoder([
  ['tag', getU8Encoder()],
  ['admin', getAddressEncoder()],
  ['authoriser0', getAddressEncoder()],
  ['authoriser1', getAddressEncoder()],
  ['domain', bytes(32)],
  ['maxDepositSeconds', getU32Encoder()],
])

/**
 * Creates the Pool and takes over the prepared Tree account. Only the program's upgrade authority can call this
 * instruction.
 */
export async function initializeInstruction(
  at: { program: Address; tree: Address; payer: Address; upgradeAuthority: Address },
  terms: InitializeTerms,
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: [
      writableSigner(at.payer),
      signer(at.upgradeAuthority),
      writable(await poolAddress(at.program)),
      writable(at.tree),
      readonly(at.program),
      readonly(await programDataAddress(at.program)),
      readonly(SYSTEM_PROGRAM_ADDRESS),
    ],
    data: initializeEncoder.encode({
      ...terms,
      tag: TAG.initialize,
      authoriser0: terms.authorisers[0],
      authoriser1: terms.authorisers[1] ?? SYSTEM_PROGRAM_ADDRESS,
    }),
  }
}

const configEncoder = getStructEncoder([
  ['tag', getU8Encoder()],
  ['depositsPaused', getU8Encoder()],
  ['maxDepositSeconds', getU32Encoder()],
])

/** Sets pause, limits and admin. A new admin signs too, so that a typing error can't lock the pool. */
export async function setConfigInstruction(
  at: { program: Address; admin: Address; newAdmin?: Address },
  config: PoolLimits & { readonly depositsPaused: boolean },
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: [
      signer(at.admin),
      writable(await poolAddress(at.program)),
      signer(at.newAdmin ?? at.admin),
    ],
    data: configEncoder.encode({
      ...config,
      tag: TAG.setConfig,
      depositsPaused: config.depositsPaused ? 1 : 0,
    }),
  }
}

const rotateCodec = getStructCodec([
  ['tag', getU8Codec()],
  ['slot', getU8Codec()],
  ['key', getAddressCodec()],
])

/** A change of one of the two authoriser slots. Without a key, the slot is cleared. */
export interface Rotation {
  readonly slot: 0 | 1
  readonly key?: Address
}

/** Sets one of the two authoriser slots. Without a key, this instruction clears the slot. */
export async function rotateAuthoriserInstruction(
  at: { program: Address; admin: Address },
  rotation: Rotation,
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: [signer(at.admin), writable(await poolAddress(at.program))],
    data: rotateCodec.encode({
      tag: TAG.rotateAuthoriser,
      slot: rotation.slot,
      key: rotation.key ?? SYSTEM_PROGRAM_ADDRESS,
    }),
  }
}

/** Reads the data of an instruction that `rotateAuthoriserInstruction` makes; undefined for other instructions. */
export function decodeRotation(data: ReadonlyUint8Array): Rotation | undefined {
  if (data[0] !== TAG.rotateAuthoriser || data.length !== rotateCodec.fixedSize) return undefined
  const { slot, key } = rotateCodec.decode(data)
  if (slot !== 0 && slot !== 1) return undefined
  return key === SYSTEM_PROGRAM_ADDRESS ? { slot } : { slot, key }
}
