import { address } from '@solana/kit'
import { amount } from '@sotto/protocol'
import type { AssetKind } from '../../ports/market-store.ts'
import type { TariffStore } from '../../ports/tariff-store.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly mint: string
  readonly kind: AssetKind
  readonly network_fee_exists: string
  readonly network_fee_created: string
}

const DUE = `tariff = 'automatic' AND (tariff_changed_at IS NULL OR tariff_changed_at < $1)`

/** Reads and writes tariffs, in SQL. */
export function sqlTariffStore(sql: Sql): TariffStore {
  return {
    listDue: async (changedBeforeMs) => {
      const rows = await sql.query<Row>(
        `SELECT mint, kind, network_fee_exists, network_fee_created FROM assets
         WHERE ${DUE} ORDER BY mint`,
        [new Date(changedBeforeMs)],
      )
      return rows.map((row) => ({
        mint: address(row.mint),
        kind: row.kind,
        networkFeeExists: amount(BigInt(row.network_fee_exists)),
        networkFeeCreated: amount(BigInt(row.network_fee_created)),
      }))
    },
    trySet: async (mint, tariff, changedBeforeMs, nowMs) => {
      const rows = await sql.query(
        `UPDATE assets SET network_fee_exists = $3, network_fee_created = $4,
           tariff_changed_at = $5, updated_at = $5
         WHERE mint = $2 AND ${DUE} RETURNING mint`,
        [
          new Date(changedBeforeMs),
          mint,
          tariff.networkFeeExists.toString(),
          tariff.networkFeeCreated.toString(),
          new Date(nowMs),
        ],
      )
      return rows.length === 1
    },
  }
}
