import type { AccountStore } from '../../packages/server/src/ports/account-store.ts'
import type { MemoryDatabase } from './memory-database.ts'

/** Accounts and keys for authentication and quotes, in memory. */
export function memoryAccountStore(database: MemoryDatabase): AccountStore {
  return {
    findApiKey: async (keyId) => database.apiKeys.get(keyId),
    hasFeeRecipient: async (accountId, address) =>
      database.feeRecipients.has(`${accountId} ${address}`),
  }
}
