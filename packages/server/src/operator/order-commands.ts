import type { Command } from 'commander'
import { hexOf } from '../domain/hex.ts'
import { findKey } from '../adapters/store/settlement/pseudonym.ts'
import type { Sql } from '../adapters/store/sql.ts'
import { encodeTrackingId } from '../domain/tracking-id.ts'
import type { EpochSecrets, Secrets } from '../ports/secrets.ts'
import type { OperatorContext, WithContext } from './context.ts'
import { OperatorError } from '../start/operator-error.ts'

interface Parts {
  readonly secrets: () => Pick<Secrets, 'read'>
}

/** `order find`: finds the order that an alert refers to. */
export function registerOrderCommands(
  program: Command,
  withContext: WithContext,
  parts: Parts,
): void {
  program
    .command('order')
    .description('Orders that were paid.')
    .command('find')
    .description(
      'Print the tracking id and the account of the order or payment that an alert names.',
    )
    .argument('<pseudonym>', "the alert's pseudonym")
    .action((pseudonym: string) =>
      withContext((context) => findOrder(context, parts, pseudonym.toLowerCase())),
    )
}

interface Row {
  readonly id: Uint8Array
  readonly account_id: string
  readonly epoch: number
}

async function findOrder(
  { database, out }: OperatorContext,
  { secrets }: Parts,
  pseudonym: string,
): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(pseudonym)) {
    throw new OperatorError('a pseudonym is 64 hexadecimal digits: copy it from the alert')
  }
  const keys = secrets()
  const epochs = new Map<number, EpochSecrets | undefined>()
  for (const { id, account_id: account, epoch } of await listPaid(database)) {
    if (!epochs.has(epoch)) epochs.set(epoch, await findKey(keys, epoch))
    const key = epochs.get(epoch)
    if (key !== undefined && hexOf(key.pseudonym(id)) === pseudonym) {
      return out({ trackingId: encodeTrackingId(id), account })
    }
  }
  throw new OperatorError(
    "no order has this pseudonym: its epoch's key was destroyed, or the order was resealed under another key",
  )
}

// Lists deposited orders and signed payments, because alerts name only such orders and payments. The caller compares
// their pseudonyms, because the database must never see an order's id and its pseudonym in one statement (decision 14).
const listPaid = (sql: Sql): Promise<Row[]> =>
  sql.query<Row>(
    `SELECT id, account_id, COALESCE(seal_epoch, epoch)::integer AS epoch
     FROM orders
     WHERE (status = 'deposited' AND leaf_index IS NOT NULL) OR (status = 'delivering' AND leaf IS NULL)`,
    [],
  )
