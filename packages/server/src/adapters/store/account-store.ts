import type { AccountStore, ApiKeyRecord } from '../../ports/account-store.ts'
import { bytesOf } from './column-values.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly id: string
  readonly mode: 'live' | 'test'
  readonly secret_hmac: Uint8Array
  readonly scopes: string
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly account_id: string
  readonly disabled_at: Date | null
  readonly fee_bps_max: number
  readonly open_swaps_max: number
  readonly open_orders_max: number
}

const decode = (row: Row): ApiKeyRecord => ({
  keyId: row.id,
  mode: row.mode,
  secretHmac: bytesOf(row.secret_hmac),
  scopes: row.scopes.split(' '),
  expiresAtMs: row.expires_at?.getTime(),
  isRevoked: row.revoked_at !== null,
  account: {
    id: row.account_id,
    isDisabled: row.disabled_at !== null,
    feeBpsMax: row.fee_bps_max,
    openSwapsMax: row.open_swaps_max,
    openOrdersMax: row.open_orders_max,
  },
})

const FIND_KEY = `SELECT k.id, k.mode, k.secret_hmac, k.scopes, k.expires_at, k.revoked_at,
    k.account_id, a.disabled_at, a.fee_bps_max, a.open_swaps_max, a.open_orders_max
  FROM api_keys k JOIN accounts a ON a.id = k.account_id WHERE k.id = $1`

/** Reads accounts and keys for authentication and quotes, in SQL. */
export function sqlAccountStore(sql: Sql): AccountStore {
  return {
    findApiKey: async (keyId) => {
      const [row] = await sql.query<Row>(FIND_KEY, [keyId], 'find-key')
      return row === undefined ? undefined : decode(row)
    },
    hasFeeRecipient: async (accountId, address) => {
      const query = 'SELECT 1 FROM fee_recipients WHERE account_id = $1 AND address = $2'
      return (await sql.query(query, [accountId, address])).length > 0
    },
  }
}
