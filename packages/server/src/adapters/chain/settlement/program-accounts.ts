import { getBase58Decoder, type Address, type Base58EncodedBytes } from '@solana/kit'
import { rawAccount, type RawAccount } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

export interface OwnedAccount extends RawAccount {
  readonly address: Address
}

/**
 * A kind of account of the program. `discriminator` is the first byte of the account's data, and `size` is the length
 * of the data.
 */
export interface AccountKind {
  readonly discriminator: number
  readonly size: number
}

/** Bytes that an account's data must have at a position. */
export interface BytesAt {
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Reads all finalized accounts of one kind. With `more`, reads only the accounts whose data has these bytes. */
export async function readProgramAccounts(
  rpc: ChainRpc,
  program: Address,
  kind: AccountKind,
  more?: BytesAt,
): Promise<OwnedAccount[]> {
  const isKind = { offset: 0, bytes: new Uint8Array([kind.discriminator]) }
  const found = await rpc
    .getProgramAccounts(program, {
      commitment: 'finalized',
      encoding: 'base64',
      filters: [
        { dataSize: BigInt(kind.size) },
        ...(more === undefined ? [isKind] : [isKind, more]).map(filterOf),
      ],
    })
    .send()
  return found.map(({ pubkey, account }) => ({ address: pubkey, ...rawAccount(account) }))
}

const filterOf = ({ offset, bytes }: BytesAt) => {
  const encoded = getBase58Decoder().decode(bytes) as Base58EncodedBytes
  return { memcmp: { offset: BigInt(offset), bytes: encoded, encoding: 'base58' } } as const
}
