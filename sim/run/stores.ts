import { NATIVE_MINT, amount } from '@sotto/protocol'
import { memoryAccountStore } from '../store/memory-account-store.ts'
import { MemoryDatabase } from '../store/memory-database.ts'
import { memoryMarketStore } from '../store/memory-market-store.ts'
import { memoryOrderStore } from '../store/memory-order-store.ts'
import { memorySettlementStore } from '../store/memory-settlement-store.ts'
import { DOLLAR_MINT } from '../actors/setting.ts'

/** A database in memory, and all store ports that read and write it. */
export type Stores = ReturnType<typeof openStores>

/** Creates an empty database that lists both assets. */
export function openStores() {
  const database = new MemoryDatabase()
  const asset = {
    serviceBps: 30,
    inputMax: amount(10_000_000_000n),
    isSwappable: true,
  }
  database.assets.set(NATIVE_MINT, {
    ...{ mint: NATIVE_MINT, symbol: 'SOL', name: 'SOL', decimals: 9, kind: 'native', ...asset },
    networkFeeExists: amount(20_000n),
    networkFeeCreated: amount(20_000n),
  })
  database.assets.set(DOLLAR_MINT, {
    ...{ mint: DOLLAR_MINT, symbol: 'USD', name: 'Dollar', decimals: 6, kind: 'token', ...asset },
    networkFeeExists: amount(10_000n),
    networkFeeCreated: amount(300_000n),
  })
  return {
    database,
    accounts: memoryAccountStore(database),
    orders: memoryOrderStore(database),
    market: memoryMarketStore(database),
    settlement: memorySettlementStore(database),
  }
}
