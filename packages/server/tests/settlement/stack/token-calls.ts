import { getAddressEncoder } from '@solana/kit'
import { U64_MAX, type Address } from '@sotto/protocol'
import { meta, type TokenCall } from '../../remote/jupiter-server.ts'

/** A call that lets `delegate` spend everything in an account. */
export function approval(account: Address, owner: Address, delegate: Address): TokenCall {
  const data = Buffer.alloc(9)
  data[0] = 4
  data.writeBigUInt64LE(U64_MAX, 1)
  return { accounts: [meta(account), meta(delegate, false), meta(owner, false, true)], data }
}

/** Kinds of authority over a token account. */
export const AUTHORITY = { owner: 2, close: 3 } as const

/** A call that gives an authority over an account to the address `heir`. */
export function bequest(
  account: Address,
  owner: Address,
  kind: keyof typeof AUTHORITY,
  heir: Address,
): TokenCall {
  const key = new Uint8Array(getAddressEncoder().encode(heir))
  const data = Buffer.concat([Uint8Array.of(6, AUTHORITY[kind], 1), key])
  return { accounts: [meta(account), meta(owner, false, true)], data }
}
