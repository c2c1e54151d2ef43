import { address } from '@solana/kit'
import { amount, parseWhole, type Address, type Amount } from '@sotto/protocol'
import type { Habit, PublicEvent } from '../../domain/observed-deposits.ts'
import { HABIT_SECONDS, type ShownValue } from '../../domain/observed-market.ts'
import type { Sql } from './sql.ts'

/**
 * Maximum number of deposits and settlements that are read, to limit memory. The oldest deposits and settlements are
 * left out.
 */
const SHOWN_MAX = 50_000
/**
 * Maximum number of values whose counts are read. Rare values form no anonymity set, so only the most frequent values
 * are read.
 */
const HABITS_MAX = 10_000

/**
 * SQL that is false for a deposit that may have been quoted before the tariff's last change. A settlement's fee is
 * public, so such a deposit can't hide a transfer that is quoted now. Nearly all deposits land within five minutes
 * after their quote.
 */
const HAS_PRESENT_TARIFF = `(assets.tariff_changed_at IS NULL
  OR deposit_at >= extract(epoch FROM assets.tariff_changed_at) + 300)`

interface ShownRow extends Record<'mint' | 'value', string> {
  readonly wallet: string | null
  readonly at_seconds: string
}

interface HabitRow extends Record<'mint' | 'value', string> {
  readonly deposits: number
  readonly settlements: number
}

/**
 * Reads the deposits and settlements since `since`. Leaves out deposits with an earlier tariff. Also counts the
 * deposits and settlements of each value in the hours before `since`.
 */
export async function readShown(sql: Sql, since: bigint): Promise<ShownValue[]> {
  const rows = await sql.query<ShownRow>(
    `SELECT destination_mint AS mint, value, sender AS wallet, deposit_at AS at_seconds
     FROM orders LEFT JOIN assets ON assets.mint = destination_mint
     WHERE deposit_at >= $1 AND value IS NOT NULL AND ${HAS_PRESENT_TARIFF}
     UNION ALL
     SELECT mint, gross, NULL, settled_at FROM shown_settlements WHERE settled_at >= $1
     ORDER BY at_seconds DESC LIMIT ${SHOWN_MAX}`,
    [since.toString()],
  )
  const habits = await sql.query<HabitRow>(
    `SELECT mint, value, sum(deposits)::integer AS deposits, sum(settlements)::integer AS settlements
     FROM (SELECT destination_mint AS mint, value, 1 AS deposits, 0 AS settlements
           FROM orders WHERE deposit_at >= $2 AND deposit_at < $1 AND value IS NOT NULL
           UNION ALL
           SELECT mint, gross, 0, 1 FROM shown_settlements
           WHERE settled_at >= $2 AND settled_at < $1) AS shown
     GROUP BY mint, value ORDER BY deposits DESC LIMIT ${HABITS_MAX}`,
    [since.toString(), (since - BigInt(HABIT_SECONDS)).toString()],
  )
  return shownValues(rows, habits)
}

function shownValues(rows: readonly ShownRow[], habits: readonly HabitRow[]): ShownValue[] {
  const shown = new Map<
    string,
    { mint: Address; value: Amount; events: PublicEvent[]; habit: Habit }
  >()
  const of = ({ mint, value }: Record<'mint' | 'value', string>) => {
    const key = `${mint} ${value}`
    const known = shown.get(key)
    if (known !== undefined) return known
    const habit = { deposits: 0, settlements: 0 }
    const made = { mint: address(mint), value: amount(BigInt(value)), events: [], habit }
    shown.set(key, made)
    return made
  }
  for (const row of rows) {
    const atSeconds = parseWhole(row.at_seconds)
    of(row).events.push(
      row.wallet === null
        ? { kind: 'settlement', atSeconds }
        : { kind: 'deposit', atSeconds, wallet: address(row.wallet) },
    )
  }
  for (const row of habits) {
    of(row).habit = { deposits: row.deposits, settlements: row.settlements }
  }
  return [...shown.values()]
}
