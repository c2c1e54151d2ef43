import { address } from '@solana/kit'
import { amount } from '@sotto/protocol'
import type { InventoryRecord, InventoryStore } from '../../ports/inventory-store.ts'
import type { Sql } from './sql.ts'

type Amounts = Record<'reserved' | 'paid_out' | 'taken_in' | 'paid_lately' | 'taken_lately', string>
interface Row extends Record<'mint' | 'symbol', string>, Amounts {
  readonly decimals: number
  readonly is_swappable: boolean
}

const HOUR_SECONDS = 3_600
// A swap's deposit changes the inventory, whether its note is delivered or refunded later. Two selects are used,
// because each can use its own index.
const QUERY = `WITH clock AS (SELECT unix_seconds AS now FROM chain_cursor),
    swaps AS (
      SELECT source_mint, destination_mint, value, amount_in - partner_fee AS added, TRUE AS is_deposited,
          deposit_at >= (SELECT now FROM clock) - ${HOUR_SECONDS} AS is_late
        FROM orders
        WHERE deposit_at >= (SELECT now FROM clock) - $1::bigint AND source_mint <> destination_mint
      UNION ALL
      SELECT source_mint, destination_mint, value, 0, FALSE, FALSE
        FROM orders
        WHERE final_hour IS NULL AND status = 'awaiting_deposit'
          AND valid_until >= (SELECT now FROM clock) AND source_mint <> destination_mint)
  SELECT mint, symbol, decimals, is_swappable,
    (SELECT COALESCE(sum(value), 0) FROM swaps
      WHERE destination_mint = mint AND NOT is_deposited) AS reserved,
    (SELECT COALESCE(sum(value), 0) FROM swaps
      WHERE destination_mint = mint AND is_deposited) AS paid_out,
    (SELECT COALESCE(sum(added), 0) FROM swaps
      WHERE source_mint = mint AND is_deposited) AS taken_in,
    (SELECT COALESCE(sum(value), 0) FROM swaps WHERE destination_mint = mint AND is_late) AS paid_lately,
    (SELECT COALESCE(sum(added), 0) FROM swaps WHERE source_mint = mint AND is_late) AS taken_lately
  FROM assets, clock ORDER BY symbol, mint`

/** Reads the database's records of inventories, in SQL. */
export function sqlInventoryStore(sql: Sql): InventoryStore {
  return {
    readInventories: async (rateSeconds) => {
      const rows = await sql.query<Row>(QUERY, [rateSeconds.toString()])
      return rows.map((row): InventoryRecord => ({
        mint: address(row.mint),
        symbol: row.symbol,
        decimals: row.decimals,
        isSwappable: row.is_swappable,
        reserved: amount(BigInt(row.reserved)),
        paidOut: BigInt(row.paid_out),
        takenIn: BigInt(row.taken_in),
        lately: { paidOut: BigInt(row.paid_lately), takenIn: BigInt(row.taken_lately) },
      }))
    },
  }
}
