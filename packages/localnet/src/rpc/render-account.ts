import { getBase58Decoder } from '@solana/kit'
import type { Account } from '../chain/account.ts'
import type { StateView } from '../chain/state-view.ts'
import { renderParsedData } from './parse-account.ts'
import { INVALID_PARAMS, INVALID_REQUEST, RpcError } from './rpc-error.ts'

export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed'

export interface AccountFormat {
  readonly encoding: AccountEncoding
  readonly dataSlice?: { readonly offset: number; readonly length: number } | undefined
}

/** Accounts are rent exempt forever, and nodes show this as the largest epoch. */
const RENT_EXEMPT_EPOCH = 0xffff_ffff_ffff_ffffn

/** Nodes refuse to encode longer data in base58, because base58 takes too much time. */
const MAX_BASE58_BYTES = 128

const base58 = getBase58Decoder()

/** An account as Solana's RPC shows it. To parse a token account, the function reads the mint from `view`. */
export function renderAccount(account: Account, format: AccountFormat, view: StateView): object {
  return {
    lamports: account.lamports,
    data: renderData(account, format, view),
    owner: account.owner,
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: account.data.length,
  }
}

function renderData(account: Account, format: AccountFormat, view: StateView): unknown {
  const bytes = sliceData(account.data, format.dataSlice)
  switch (format.encoding) {
    case 'base64':
      return [toBase64(bytes), 'base64']
    case 'base58':
      return [toBase58(bytes), 'base58']
    case 'binary':
      return toBase58(bytes)
    case 'jsonParsed':
      return renderParsedData(account, view) ?? [toBase64(bytes), 'base64']
    case 'base64+zstd':
      throw new RpcError(INVALID_PARAMS, 'Encoding base64+zstd is not available on this node.')
  }
}

function sliceData(data: Uint8Array, slice: AccountFormat['dataSlice']): Uint8Array {
  if (slice === undefined) return data
  return data.subarray(slice.offset, slice.offset + slice.length)
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

function toBase58(bytes: Uint8Array): string {
  if (bytes.length > MAX_BASE58_BYTES) {
    throw new RpcError(
      INVALID_REQUEST,
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  }
  return base58.decode(bytes)
}
