import { parseWhole, type Address, type Amount } from '@sotto/protocol'
import type { PublicEvent } from '../../packages/server/src/domain/observed-deposits.ts'
import type {
  ShownSettlement,
  ShownValue,
} from '../../packages/server/src/domain/observed-market.ts'
import type { MemoryDatabase } from './memory-database.ts'

/** The deposits and settlements of each value since `since`, in seconds since 1970. */
export function shownValues(database: MemoryDatabase, since: bigint): ShownValue[] {
  const { habit } = database
  const shown = new Map<string, ShownValue & { readonly events: PublicEvent[] }>()
  const eventsOf = (mint: Address, value: Amount): PublicEvent[] => {
    const key = `${mint} ${value}`
    const known = shown.get(key) ?? { mint, value, events: [], habit }
    shown.set(key, known)
    return known.events
  }
  for (const { deposit, destinationMint, value, sender: wallet } of database.orders.values()) {
    if (deposit === undefined || deposit.unixSeconds < since) continue
    const atSeconds = parseWhole(`${deposit.unixSeconds}`)
    eventsOf(destinationMint, value).push({ kind: 'deposit', atSeconds, wallet })
  }
  for (const { mint, gross, unixSeconds } of database.shown) {
    if (unixSeconds < since) continue
    eventsOf(mint, gross).push({ kind: 'settlement', atSeconds: parseWhole(`${unixSeconds}`) })
  }
  return [...shown.values()]
}

/** Records the public facts of a settlement. The recorded time is at most the followed clock. */
export function showSettlement(database: MemoryDatabase, shown: ShownSettlement): void {
  const { unixSeconds: followed = shown.unixSeconds } = database.cursor ?? {}
  const unixSeconds = shown.unixSeconds < followed ? shown.unixSeconds : followed
  database.shown.push({ ...shown, unixSeconds })
}
