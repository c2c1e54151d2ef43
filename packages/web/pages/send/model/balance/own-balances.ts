import type { UnixSeconds } from '@sotto/protocol'
import {
  forgetIndexedBalanceIf,
  indexedBalance,
  indexedBalanceNames,
  shownBalanceIn,
  type BalanceStore,
  type ShownBalance,
} from '@sotto/sdk/balance'

/** A balance in this browser. */
export interface OwnBalance {
  /** The balance's name in the browser's storage. */
  readonly name: string
  /** The store's content; undefined if another version of this page wrote it. */
  readonly stored: ShownBalance | undefined
}

/** All balances in this browser, sorted by their end, the latest first. */
export async function listBalances(): Promise<readonly OwnBalance[]> {
  const names = await indexedBalanceNames()
  const found = await Promise.all(names.map(readBalance))
  const endOf = ({ stored }: OwnBalance) => stored?.note?.endsAt ?? 0n
  return found
    .filter((one) => one !== undefined)
    .sort((one, other) => (endOf(one) < endOf(other) ? 1 : -1))
}

/** The balance with this name; undefined if this browser doesn't have it. */
export async function readBalance(name: string): Promise<OwnBalance | undefined> {
  const text = await indexedBalance(name).read()
  if (text === undefined) return undefined
  try {
    return { name, stored: shownBalanceIn(text) }
  } catch {
    return { name, stored: undefined }
  }
}

/** A balance's store that calls `written` after each write. */
export function watchedStore(name: string, written: (stored: ShownBalance) => void): BalanceStore {
  const store = indexedBalance(name)
  return {
    read: store.read,
    write: async (text, before) => {
      await store.write(text, before)
      written(shownBalanceIn(text))
    },
  }
}

/**
 * Deletes a balance if its top-up was certainly never signed. Call this only while this tab holds the balance, because
 * another tab may be about to let the wallet sign. Returns true if the balance was deleted.
 */
export function forgetUnsigned(name: string): Promise<boolean> {
  return forgetIndexedBalanceIf(name, (text) => {
    const step = shownBalanceIn(text).topUp?.step
    return step === 'asked' || step === 'quoted' || step === 'ordered'
  })
}

/**
 * The tracking id of a top-up that ended unpaid according to one node; undefined for every other balance. The node may
 * have lied, so only the person may remove the balance.
 */
export function unpaidOrder({ topUp }: ShownBalance): string | undefined {
  if (topUp?.step !== 'done') return undefined
  const { outcome, trackingId } = topUp.result
  return outcome === 'not_paid' || outcome === 'expired' ? trackingId : undefined
}

/** Deletes a balance whose top-up ended unpaid. Returns true if the balance was deleted. */
export const forgetUnpaid = (name: string): Promise<boolean> =>
  forgetIndexedBalanceIf(name, (text) => unpaidOrder(shownBalanceIn(text)) !== undefined)

/**
 * The open balance of this asset that has the largest value. Undefined if no such balance has more than `least` base
 * units.
 */
export function balanceFor(
  balances: readonly OwnBalance[],
  assetId: string,
  least: bigint,
  now: UnixSeconds,
): OwnBalance | undefined {
  const fitting = balances.filter(({ stored }) => {
    const note = stored?.note
    return (
      stored?.assetId === assetId && note !== undefined && note.value > least && note.endsAt > now
    )
  })
  const valueOf = ({ stored }: OwnBalance) => stored?.note?.value ?? 0n
  return fitting.reduce<OwnBalance | undefined>(
    (most, one) => (most !== undefined && valueOf(most) >= valueOf(one) ? most : one),
    undefined,
  )
}
