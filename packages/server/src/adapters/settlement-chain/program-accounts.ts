import type { Address, Base58EncodedBytes } from '@solana/kit'
import { getBase58Decoder } from '@solana/kit'
import { rawAccount } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

export interface OwnedAccount {
  readonly address: Address
  readonly data: Uint8Array
}

/** A kind of account of the program: its first byte and its size. */
export interface AccountKind {
  readonly discriminator: number
  readonly size: number
}

/** Finalized accounts of one kind, where wanted only those with these bytes at an offset. */
export async function readProgramAccounts(
  rpc: ChainRpc,
  program: Address,
  kind: AccountKind,
  having?: { readonly offset: bigint; readonly bytes: Uint8Array },
): Promise<OwnedAccount[]> {
  const memcmp = (offset: bigint, bytes: Uint8Array) => ({
    memcmp: {
      offset,
      bytes: getBase58Decoder().decode(bytes) as Base58EncodedBytes,
      encoding: 'base58' as const,
    },
  })
  const found = await rpc
    .getProgramAccounts(program, {
      commitment: 'finalized',
      encoding: 'base64',
      filters: [
        { dataSize: BigInt(kind.size) },
        memcmp(0n, new Uint8Array([kind.discriminator])),
        ...(having === undefined ? [] : [memcmp(having.offset, having.bytes)]),
      ],
    })
    .send()
  return found.map(({ pubkey, account }) => ({ address: pubkey, data: rawAccount(account).data }))
}
