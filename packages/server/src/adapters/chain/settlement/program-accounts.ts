import { getBase58Decoder, type Address, type Base58EncodedBytes } from '@solana/kit'
import { rawAccount, type RawAccount } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

export interface OwnedAccount extends RawAccount {
  readonly address: Address
}

/**
 * A kind of account of the program. `discriminator` is the first byte of its data, `size` is the length of its data.
 */
export interface AccountKind {
  readonly discriminator: number
  readonly size: number
}

/** Reads all finalized accounts of one kind. */
export async function readProgramAccounts(
  rpc: ChainRpc,
  program: Address,
  kind: AccountKind,
): Promise<OwnedAccount[]> {
  const bytes = getBase58Decoder().decode(new Uint8Array([kind.discriminator]))
  const found = await rpc
    .getProgramAccounts(program, {
      commitment: 'finalized',
      encoding: 'base64',
      filters: [
        { dataSize: BigInt(kind.size) },
        { memcmp: { offset: 0n, bytes: bytes as Base58EncodedBytes, encoding: 'base58' } },
      ],
    })
    .send()
  return found.map(({ pubkey, account }) => ({ address: pubkey, ...rawAccount(account) }))
}
