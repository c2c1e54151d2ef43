import type { Command } from 'commander'
import type { Sql } from '../../adapters/store/sql.ts'
import { uniqueViolation } from '../../adapters/store/unique-violation.ts'
import { registerAccountSet } from './account-set.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { noAccount } from './assert-account.ts'
import { assertFeeBpsMax, FEE_BPS_MAX } from './fee-bps-max.ts'
import { parseBpsOption, parseCountOption } from '../pool/pool-options.ts'

const OPEN_SWAPS_MAX = 20
const OPEN_ORDERS_MAX = 1_000
const ID = /^[a-z0-9][a-z0-9-]{0,39}$/

interface AddOptions {
  readonly id: string
  readonly name: string
  readonly feeBpsMax: number
  readonly openSwapsMax: number
  readonly openOrdersMax: number
}

/** `account add | set | list | disable`: commands for partners' accounts. */
export function registerAccountCommands(program: Command, withContext: WithContext): void {
  const account = program.command('account').description('Partner accounts.')
  account
    .command('add')
    .description('Make an account. The command can be repeated with the same settings.')
    .requiredOption('--id <id>', 'lower-case letters, digits and hyphens')
    .requiredOption('--name <name>', "the partner's name")
    .option(
      '--fee-bps-max <bps>',
      `greatest share that the partner may take of a transfer, in basis points; at most ${FEE_BPS_MAX}`,
      parseBpsOption,
      0,
    )
    .option(
      '--open-swaps-max <count>',
      'maximum number of unpaid swaps at the same time',
      parseCountOption,
      OPEN_SWAPS_MAX,
    )
    .option(
      '--open-orders-max <count>',
      'maximum number of unpaid orders at the same time',
      parseCountOption,
      OPEN_ORDERS_MAX,
    )
    .action((options: AddOptions) => withContext((context) => addAccount(context, options)))
  registerAccountSet(account, withContext)
  account
    .command('list')
    .description('List all accounts.')
    .action(() => withContext(listAccounts))
  account
    .command('disable')
    .description(
      'Refuse all of an account’s keys, and send no more messages to its endpoints. Its orders are still delivered.',
    )
    .requiredOption('--id <id>', 'the account')
    .action(({ id }: { id: string }) => withContext((context) => disableAccount(context, id)))
}

async function addAccount(context: OperatorContext, options: AddOptions): Promise<void> {
  const { id, name, feeBpsMax, openSwapsMax, openOrdersMax } = options
  if (!ID.test(id)) {
    throw new OperatorError('an account id is 1 to 40 lower-case letters, digits and hyphens')
  }
  assertFeeBpsMax(feeBpsMax)
  const { database, clock } = context
  try {
    await database.query(
      `INSERT INTO accounts (id, name, fee_bps_max, open_swaps_max, open_orders_max, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, name, feeBpsMax, openSwapsMax, openOrdersMax, new Date(clock.nowMs())],
    )
  } catch (error) {
    if (uniqueViolation(error) === undefined) throw error
    await assertSame(database, options)
  }
  context.out({ account: id, name, feeBpsMax, openSwapsMax, openOrdersMax })
}

interface AccountRow {
  readonly id: string
  readonly name: string
  readonly fee_bps_max: number
  readonly open_swaps_max: number
  readonly open_orders_max: number
  readonly disabled_at: Date | null
}

const LIST = `SELECT id, name, fee_bps_max, open_swaps_max, open_orders_max, disabled_at
  FROM accounts`

async function assertSame(sql: Sql, options: AddOptions) {
  const { id, name, feeBpsMax, openSwapsMax, openOrdersMax } = options
  const [row] = await sql.query<AccountRow>(`${LIST} WHERE id = $1`, [id])
  const isSame =
    row?.name === name &&
    row.fee_bps_max === feeBpsMax &&
    row.open_swaps_max === openSwapsMax &&
    row.open_orders_max === openOrdersMax
  if (isSame) return
  throw new OperatorError(
    `the account ${id} exists with other settings; change them with: sotto-server account set --id ${id}`,
  )
}

async function listAccounts({ database, out }: OperatorContext): Promise<void> {
  const rows = await database.query<AccountRow>(`${LIST} ORDER BY id`, [])
  const accounts = rows.map((row) => ({
    account: row.id,
    name: row.name,
    feeBpsMax: row.fee_bps_max,
    openSwapsMax: row.open_swaps_max,
    openOrdersMax: row.open_orders_max,
    disabled: row.disabled_at !== null,
  }))
  out({ accounts })
}

async function disableAccount({ database, clock, out }: OperatorContext, id: string) {
  const rows = await database.query(
    `UPDATE accounts SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1 RETURNING id`,
    [id, new Date(clock.nowMs())],
  )
  if (rows.length === 0) throw noAccount(id)
  out({ account: id, disabled: true })
}
