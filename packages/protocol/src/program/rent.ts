import type { Address } from '@solana/kit'
import { amount, type Amount } from '../units.ts'

/** The sysvar that contains the cluster's rent. */
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address

/** The minimum balance of an account also covers this many bytes in addition to the account's data. */
const OVERHEAD_BYTES = 128n

/**
 * The minimum number of lamports that an account with this many bytes of data must keep; at least one, as in the
 * program. The cluster sets the price of a byte and may change it, so read it from the chain: see `shownRent`.
 */
export const rentMinimum = (lamportsPerByte: bigint, bytes: bigint): Amount =>
  amount(lamportsPerByte === 0n ? 1n : (OVERHEAD_BYTES + bytes) * lamportsPerByte)

/** The minimum balance of a wallet, which is also the minimum amount of a native delivery. */
export const walletMinimum = (lamportsPerByte: bigint): Amount => rentMinimum(lamportsPerByte, 0n)

const PRICE_AND_YEARS_BYTES = 16
const YEARS_AT = 8

/**
 * Lamports that an account must hold for each of its bytes, including its overhead of 128 bytes. Older clusters state
 * the price of one year and require two years; newer clusters state the whole price. The on-chain program accepts the
 * same two forms and no other.
 *
 * @throws Error if the account isn't the rent sysvar in one of these two forms.
 */
export function shownRent(account: { readonly data: ArrayLike<number> } | undefined): bigint {
  const data = Uint8Array.from(account?.data ?? [])
  if (data.length < PRICE_AND_YEARS_BYTES) throw new Error('the RPC node shows no rent')
  const view = new DataView(data.buffer)
  const years = view.getFloat64(YEARS_AT, true)
  if (years !== 1 && years !== 2) throw new Error('the cluster states its rent in an unknown form')
  return view.getBigUint64(0, true) * BigInt(years)
}
