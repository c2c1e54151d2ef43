import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { getAddressDecoder, type Address, type ReadonlyUint8Array } from '@solana/kit'
import { UPGRADEABLE_LOADER } from '../constants.ts'
import {
  DEVELOPMENT_KEY,
  PROGRAM_BYTES,
  PROGRAM_SHA256,
  VKEY_DELTA,
} from './generated/constants.ts'

/** Public facts about a deployed program. They show how far its users have to trust the operator. */
export interface ProgramFacts {
  /**
   * The authority that may replace the program; `null` if no one can replace it. With `null`, the program's code proves
   * that the operator can't redirect money. With an authority, the code proves nothing, because the authority can
   * replace the code.
   */
  readonly upgradeAuthority: Address | null
  /** SHA-256 of the code, as hex. Zero bytes after the expected length of the code aren't hashed. */
  readonly sha256: string
  /** True if this is the program with which this package was built. */
  readonly isExpected: boolean
  /**
   * True if the code verifies proofs with this release's development key, even in another build. The maker of that key
   * can forge proofs and empty the vaults.
   */
  readonly hasDevelopmentKey: boolean
}

/** Offsets in a ProgramData account of the upgradeable loader: u32 kind (3), u64 slot, option byte, authority. */
const KIND_OFFSET = 0
const PROGRAM_DATA_KIND = 3
const OPTION_OFFSET = 12
const AUTHORITY_OFFSET = 13
const CODE_OFFSET = 45

/**
 * Reads the loader's ProgramData account (`programDataAddress`). The account may be longer than its code. @throws Error
 * if the bytes aren't a ProgramData account.
 */
export function programFactsOf(data: ReadonlyUint8Array): ProgramFacts {
  if (data.length < CODE_OFFSET || data[KIND_OFFSET] !== PROGRAM_DATA_KIND) {
    throw new Error("the account isn't the loader's record of a program")
  }
  const bytes = new Uint8Array(data)
  const room = bytes.subarray(CODE_OFFSET)
  const isPadded = room.subarray(PROGRAM_BYTES).every((byte) => byte === 0)
  const hash = bytesToHex(sha256(isPadded ? room.subarray(0, PROGRAM_BYTES) : room))
  return {
    upgradeAuthority:
      bytes[OPTION_OFFSET] === 1 ? getAddressDecoder().decode(bytes, AUTHORITY_OFFSET) : null,
    sha256: hash,
    isExpected: hash === PROGRAM_SHA256,
    hasDevelopmentKey: DEVELOPMENT_KEY && bytesToHex(room).includes(VKEY_DELTA),
  }
}

/**
 * Reads the facts from an account that a node returned. Undefined if the loader doesn't own the account, for example
 * because somebody only sent lamports to the address. @throws Error if the account belongs to the loader but doesn't
 * hold a program.
 */
export function shownProgramFacts(
  account: { readonly owner: Address; readonly data: ReadonlyUint8Array } | undefined,
): ProgramFacts | undefined {
  return account?.owner === UPGRADEABLE_LOADER ? programFactsOf(account.data) : undefined
}

/** Why a program whose code has this hash must not be used; undefined if the caller's list contains the hash. */
export const unacceptedProgram = (
  sha256: string,
  acceptedPrograms: readonly unknown[],
): string | undefined =>
  acceptedPrograms.includes(sha256)
    ? undefined
    : `the program's code has the hash ${sha256}, which acceptedPrograms does not list; ` +
      'add it only if you know whose program it is'
