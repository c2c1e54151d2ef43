import { type Amount, amount } from '@sotto/protocol'
import type { Address, Commitment, Lamports } from '@solana/kit'
import type { ChainRpc } from './rpc-client.ts'

/** Maximum number of accounts that one request may name. */
const ACCOUNTS_MAX = 100

export interface RawAccount {
  readonly owner: Address
  readonly lamports: Amount
  readonly isExecutable: boolean
  readonly data: Uint8Array
}

export interface ReadOptions {
  readonly commitment: Commitment
  /** The minimum slot of the answer. A node that hasn't reached this slot refuses the request. */
  readonly slotMin?: bigint
  readonly abortSignal?: AbortSignal | undefined
  /** The range of bytes to read of each account; by default the whole account. */
  readonly slice?: { readonly offset: number; readonly length: number }
}

/**
 * Reads accounts. Returns them in the order of the request; undefined for a missing account. Up to a hundred accounts
 * are read at one slot. More accounts take several requests, and `slot` is the oldest slot of these requests.
 */
export async function readAccounts(
  rpc: ChainRpc,
  addresses: readonly Address[],
  options: ReadOptions,
): Promise<{ readonly slot: bigint; readonly accounts: (RawAccount | undefined)[] }> {
  const { commitment, slotMin, slice, abortSignal } = options
  const accounts: (RawAccount | undefined)[] = []
  let slot: bigint | undefined
  for (let start = 0; start < addresses.length; start += ACCOUNTS_MAX) {
    const { context, value } = await rpc
      .getMultipleAccounts(addresses.slice(start, start + ACCOUNTS_MAX), {
        commitment,
        encoding: 'base64',
        ...(slotMin === undefined ? {} : { minContextSlot: slotMin }),
        ...(slice === undefined ? {} : { dataSlice: slice }),
      })
      .send(abortSignal && { abortSignal })
    // Some nodes ignore minContextSlot, so the slot of the answer is checked too.
    if (slotMin !== undefined && context.slot < slotMin) throw new Error('the RPC node lags')
    slot = slot === undefined || context.slot < slot ? context.slot : slot
    for (const account of value) accounts.push(account === null ? undefined : rawAccount(account))
  }
  return { slot: slot ?? slotMin ?? 0n, accounts }
}

interface Base64Account {
  readonly owner: Address
  readonly lamports: Lamports
  readonly executable: boolean
  readonly data: readonly [string, string]
}

export function rawAccount(account: Base64Account): RawAccount {
  return {
    owner: account.owner,
    lamports: amount(account.lamports),
    isExecutable: account.executable,
    data: new Uint8Array(Buffer.from(account.data[0], 'base64')),
  }
}
