import type { Webhook, WebhookStore } from '../../ports/webhook-store.ts'
import type { Database } from './sql.ts'

interface Row {
  readonly id: string
  readonly account_id: string
  readonly url: string
  readonly created_at: Date
  readonly disabled_at: Date | null
  readonly times_enabled: number
  readonly secret_version: number
  readonly overlap_until: Date | null
}

const COLUMNS =
  'id, account_id, url, created_at, disabled_at, times_enabled, secret_version, overlap_until'

/** The endpoints of a disabled account count as disabled: a thief of a key may have registered them. */
const LIST = `SELECT ${COLUMNS.replace(
  'disabled_at',
  'COALESCE(disabled_at, (SELECT accounts.disabled_at FROM accounts WHERE accounts.id = account_id)) AS disabled_at',
)} FROM webhooks WHERE account_id = $1 ORDER BY created_at, id`

const decode = (row: Row): Webhook => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  createdAtMs: row.created_at.getTime(),
  disabledAtMs: row.disabled_at?.getTime(),
  timesEnabled: row.times_enabled,
  secretVersion: row.secret_version,
  overlapUntilMs: row.overlap_until?.getTime(),
})

/** Reads and writes the endpoints of accounts, in SQL. */
export function sqlWebhookStore(database: Database): WebhookStore {
  const one = async (text: string, parameters: readonly unknown[]) => {
    const [row] = await database.query<Row>(`${text} RETURNING ${COLUMNS}`, parameters)
    return row && decode(row)
  }
  return {
    tryAdd: ({ id, accountId, url, createdAtMs }, most) =>
      database.transaction(async (sql) => {
        // With this lock, two concurrent additions run one after the other. So the second addition counts the first
        // endpoint. The account's orders don't wait for this lock.
        await sql.query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])
        const rows = await sql.query(
          `INSERT INTO webhooks (id, account_id, url, created_at)
           SELECT $1, $2, $3, $4
           WHERE (SELECT count(*) FROM webhooks WHERE account_id = $2) < $5 RETURNING id`,
          [id, accountId, url, new Date(createdAtMs), most],
        )
        return rows.length === 1
      }),
    list: async (accountId) => (await database.query<Row>(LIST, [accountId])).map(decode),
    remove: async (accountId, id) => {
      const query = 'DELETE FROM webhooks WHERE account_id = $1 AND id = $2 RETURNING id'
      return (await database.query(query, [accountId, id])).length === 1
    },
    tryRotate: (accountId, id, overlapUntilMs) =>
      one(
        `UPDATE webhooks SET secret_version = secret_version + 1, overlap_until = $3
         WHERE account_id = $1 AND id = $2`,
        [accountId, id, new Date(overlapUntilMs)],
      ),
    tryEnable: (accountId, id) =>
      one(
        `UPDATE webhooks SET disabled_at = NULL, times_enabled = times_enabled + 1
         WHERE account_id = $1 AND id = $2`,
        [accountId, id],
      ),
    disable: async ({ id, timesEnabled }, hourMs) => {
      await database.query(
        `UPDATE webhooks SET disabled_at = $3
         WHERE id = $1 AND times_enabled = $2 AND disabled_at IS NULL`,
        [id, timesEnabled, new Date(hourMs)],
      )
    },
  }
}
