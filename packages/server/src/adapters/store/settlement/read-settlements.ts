import type { OrderStatus, AttemptKind } from '../../../domain/order-state.ts'
import type { Sql } from '../sql.ts'

/** An order's row in `settlements`, with its live attempt. */
export interface SettlementRow {
  readonly pseudonym: string
  readonly status: OrderStatus | 'moved'
  readonly sealed_plan: Uint8Array | null
  readonly sealed_outcome: Uint8Array | null
  readonly lease_until: Date | null
  readonly final_hour: Date | null
  readonly attempt_number: number | null
  readonly attempt_kind: AttemptKind | null
  readonly attempt_sealed: Uint8Array | null
}

/** Reads the rows of these pseudonyms in `settlements`, with their live attempts. Pseudonyms are in hex. */
export async function readSettlements(
  sql: Sql,
  pseudonyms: readonly string[],
): Promise<Map<string, SettlementRow>> {
  if (pseudonyms.length === 0) return new Map()
  const rows = await sql.query<SettlementRow>(
    `SELECT encode(s.pseudonym, 'hex') AS pseudonym, s.status, s.sealed_plan, s.sealed_outcome,
            s.lease_until, s.final_hour, a.number AS attempt_number, a.kind AS attempt_kind,
            a.sealed AS attempt_sealed
     FROM settlements s LEFT JOIN attempts a ON a.pseudonym = s.pseudonym AND a.state = 'live'
     WHERE s.pseudonym IN (SELECT decode(given.name, 'hex') FROM unnest($1::text[]) AS given (name))`,
    [pseudonyms],
  )
  return new Map(rows.map((row) => [row.pseudonym, row]))
}
