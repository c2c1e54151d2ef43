import type { Address } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'
import type { Account } from './account.ts'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address

/** Sizes and offsets of the SPL Token layout (spl-token-interface, state.rs). */
const MINT_BYTES = 82
const ACCOUNT_BYTES = 165
/**
 * Token-2022 pads a mint with extensions to the size of a token account. The kind of account follows directly after
 * these bytes.
 */
const KIND_OFFSET = 165
const KIND_MINT = 1
const KIND_ACCOUNT = 2

export interface TokenAccount {
  readonly mint: Address
  readonly owner: Address
  readonly amount: bigint
  readonly delegate: Address | null
  readonly state: 'uninitialized' | 'initialized' | 'frozen'
  readonly nativeRentReserve: bigint | null
  readonly delegatedAmount: bigint
  readonly closeAuthority: Address | null
}

export interface Mint {
  readonly mintAuthority: Address | null
  readonly supply: bigint
  readonly decimals: number
  readonly isInitialized: boolean
  readonly freezeAuthority: Address | null
}

const addresses = getAddressDecoder()
const STATES = ['uninitialized', 'initialized', 'frozen'] as const

/** True for both token programs. */
export function isTokenProgram(owner: Address): boolean {
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
}

/** Reads an initialized token account; null for any other account. */
export function readTokenAccount(account: Account | null): TokenAccount | null {
  if (account === null || !isTokenProgram(account.owner)) return null
  if (!hasLayout(account.data, ACCOUNT_BYTES, KIND_ACCOUNT)) return null
  const bytes = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.length)
  const state = STATES[bytes.readUInt8(108)]
  if (state === undefined || state === 'uninitialized') return null
  return {
    mint: addresses.decode(bytes, 0),
    owner: addresses.decode(bytes, 32),
    amount: bytes.readBigUInt64LE(64),
    delegate: readOptionalAddress(bytes, 72),
    state,
    nativeRentReserve: bytes.readUInt32LE(109) === 0 ? null : bytes.readBigUInt64LE(113),
    delegatedAmount: bytes.readBigUInt64LE(121),
    closeAuthority: readOptionalAddress(bytes, 129),
  }
}

/** Reads an initialized mint; null for any other account. */
export function readMint(account: Account | null): Mint | null {
  if (account === null || !isTokenProgram(account.owner)) return null
  if (!hasLayout(account.data, MINT_BYTES, KIND_MINT)) return null
  const bytes = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.length)
  if (bytes.readUInt8(45) !== 1) return null
  return {
    mintAuthority: readOptionalAddress(bytes, 0),
    supply: bytes.readBigUInt64LE(36),
    decimals: bytes.readUInt8(44),
    isInitialized: true,
    freezeAuthority: readOptionalAddress(bytes, 46),
  }
}

function hasLayout(data: Uint8Array, plainBytes: number, kind: number): boolean {
  return data.length === plainBytes || (data.length > KIND_OFFSET && data[KIND_OFFSET] === kind)
}

function readOptionalAddress(bytes: Buffer, offset: number): Address | null {
  return bytes.readUInt32LE(offset) === 0 ? null : addresses.decode(bytes, offset + 4)
}
