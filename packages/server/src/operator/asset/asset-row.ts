import type { Address, Amount } from '@sotto/protocol'
import type { Sql } from '../../adapters/store/sql.ts'
import type { AssetKind } from '../../ports/market-store.ts'

/** The operator's settings for an asset. Amounts are in base units. */
export interface AssetRow {
  readonly mint: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly kind: AssetKind
  readonly serviceBps: number
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
  readonly inputMax: Amount
  readonly isSwappable: boolean
}

/** Adds an asset. If the asset already exists, leaves it unchanged and returns false. */
export async function tryInsertAsset(sql: Sql, row: AssetRow, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `INSERT INTO assets
       (mint, symbol, name, decimals, kind, service_bps, network_fee_exists, network_fee_created,
        input_max, is_swappable, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
     ON CONFLICT (mint) DO NOTHING RETURNING mint`,
    [
      row.mint,
      row.symbol,
      row.name,
      row.decimals,
      row.kind,
      row.serviceBps,
      row.networkFeeExists.toString(),
      row.networkFeeCreated.toString(),
      row.inputMax.toString(),
      row.isSwappable,
      new Date(nowMs),
    ],
  )
  return rows.length === 1
}

/** True if the service lists the asset. */
export const isListed = async (sql: Sql, mint: Address): Promise<boolean> =>
  (await sql.query('SELECT 1 FROM assets WHERE mint = $1', [mint])).length > 0

/** The columns that `asset set` may change. */
export interface AssetRowChange {
  readonly symbol?: string | undefined
  readonly name?: string | undefined
  readonly serviceBps?: number | undefined
  readonly networkFeeExists?: Amount | undefined
  readonly networkFeeCreated?: Amount | undefined
  readonly inputMax?: Amount | undefined
  readonly isSwappable?: boolean | undefined
  /** `fixed` keeps the network fees as they are. `automatic` lets them follow the cost of deliveries. */
  readonly tariff?: 'fixed' | 'automatic' | undefined
}

/** Changes the given columns and keeps all other columns. Returns false if there is no such asset. */
export async function updateAsset(
  sql: Sql,
  mint: Address,
  change: AssetRowChange,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE assets
     SET symbol = COALESCE($2::text, symbol), name = COALESCE($3::text, name),
         service_bps = COALESCE($4::integer, service_bps),
         network_fee_exists = COALESCE($5::numeric, network_fee_exists),
         network_fee_created = COALESCE($6::numeric, network_fee_created),
         input_max = COALESCE($7::numeric, input_max),
         is_swappable = COALESCE($8::boolean, is_swappable),
         tariff = COALESCE($10::text, tariff), updated_at = $9,
         tariff_changed_at = CASE
           WHEN COALESCE($4::numeric, $5::numeric, $6::numeric) IS NULL THEN tariff_changed_at
           ELSE $9::timestamptz END
     WHERE mint = $1 RETURNING mint`,
    [
      mint,
      change.symbol ?? null,
      change.name ?? null,
      change.serviceBps ?? null,
      change.networkFeeExists?.toString() ?? null,
      change.networkFeeCreated?.toString() ?? null,
      change.inputMax?.toString() ?? null,
      change.isSwappable ?? null,
      new Date(nowMs),
      change.tariff ?? null,
    ],
  )
  return rows.length === 1
}
