import { address } from '@solana/kit'
import { amount, type Address } from '@sotto/protocol'
import type { Tariff } from '../../domain/tariff.ts'
import type { AssetKind, ListedTariff } from '../../ports/market-store.ts'
import type { TariffStore } from '../../ports/tariff-store.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly mint: string
  readonly kind: AssetKind
  readonly network_fee_exists: string
  readonly network_fee_created: string
}

const DUE = `tariff = 'automatic' AND (tariff_changed_at IS NULL OR tariff_changed_at < $1)`

type FeeColumns = Pick<Row, 'network_fee_exists' | 'network_fee_created'>
const feesOf = (row: FeeColumns): Tariff => ({
  networkFeeExists: amount(BigInt(row.network_fee_exists)),
  networkFeeCreated: amount(BigInt(row.network_fee_created)),
})

/**
 * A correct clock of a host is ahead of the followed time by less than this interval. A clock that is further ahead is
 * wrong.
 */
const AHEAD = `interval '10 minutes'`
/** If the followed slot hasn't changed for this long, the chain isn't followed. */
const FOLLOWED = `interval '1 minute'`

/** Reads and writes tariffs, in SQL. */
export function sqlTariffStore(sql: Sql): TariffStore {
  return {
    correctDates: async (nowMs) => {
      // If the chain isn't followed, the followed time is too old. After a correction to that time, deposits with an
      // earlier tariff would count as deposits with the current tariff.
      await sql.query(
        `UPDATE assets SET tariff_changed_at = to_timestamp(unix_seconds::double precision)
         FROM chain_cursor
         WHERE tariff_changed_at > to_timestamp(unix_seconds::double precision) + ${AHEAD}
           AND slot > 0 AND chain_cursor.updated_at > $1::timestamptz - ${FOLLOWED}`,
        [new Date(nowMs)],
      )
    },
    listDue: async (changedBeforeMs) => {
      const rows = await sql.query<Row>(
        `SELECT mint, kind, network_fee_exists, network_fee_created FROM assets
         WHERE ${DUE} ORDER BY mint`,
        [new Date(changedBeforeMs)],
      )
      return rows.map((row) => ({
        mint: address(row.mint),
        kind: row.kind,
        ...feesOf(row),
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

/** Reads the fees of every listed asset. */
export async function readTariffs(sql: Sql): Promise<Map<Address, ListedTariff>> {
  const rows = await sql.query<Omit<Row, 'kind'> & { readonly service_bps: number }>(
    'SELECT mint, service_bps, network_fee_exists, network_fee_created FROM assets',
    [],
  )
  return new Map(
    rows.map((row) => [address(row.mint), { serviceBps: row.service_bps, ...feesOf(row) }]),
  )
}
