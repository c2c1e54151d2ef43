import type { Address } from '@solana/kit'

/** An account as the runtime stores it. Lamports are base units, the owner is a base58 address. */
export interface Account {
  readonly lamports: bigint
  readonly owner: Address
  readonly executable: boolean
  readonly data: Uint8Array
}

/** One account before and after a transaction. Null means that the account does not exist. */
export interface AccountChange {
  readonly address: Address
  readonly before: Account | null
  readonly after: Account | null
}

/** True if both accounts are equal, or both are absent. */
export function isSameAccount(left: Account | null, right: Account | null): boolean {
  if (left === null || right === null) return left === right
  return (
    left.lamports === right.lamports &&
    left.owner === right.owner &&
    left.executable === right.executable &&
    Buffer.compare(left.data, right.data) === 0
  )
}
