import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { noAccount } from './assert-account.ts'
import { assertFeeBpsMax } from './fee-bps-max.ts'
import { parseBpsOption, parseCountOption } from '../pool/pool-options.ts'

interface SetOptions {
  readonly id: string
  readonly feeBpsMax?: number
  readonly openSwapsMax?: number
  readonly openOrdersMax?: number
}

/** `account set`: changes an account's caps. The new caps apply to new orders within a second. */
export function registerAccountSet(account: Command, withContext: WithContext): void {
  account
    .command('set')
    .description('Change the caps of an account. Caps without an option stay unchanged.')
    .requiredOption('--id <id>', 'the account')
    .option(
      '--fee-bps-max <bps>',
      'greatest share that the partner may take of a transfer, in basis points',
      parseBpsOption,
    )
    .option(
      '--open-swaps-max <count>',
      'maximum number of unpaid swaps at the same time',
      parseCountOption,
    )
    .option(
      '--open-orders-max <count>',
      'maximum number of unpaid orders at the same time',
      parseCountOption,
    )
    .action((options: SetOptions) => withContext((context) => setAccount(context, options)))
}

async function setAccount({ database, out }: OperatorContext, options: SetOptions): Promise<void> {
  const { id, feeBpsMax, openSwapsMax, openOrdersMax } = options
  if ([feeBpsMax, openSwapsMax, openOrdersMax].every((one) => one === undefined)) {
    throw new OperatorError(
      'name a cap to change: --fee-bps-max, --open-swaps-max or --open-orders-max',
    )
  }
  if (feeBpsMax !== undefined) assertFeeBpsMax(feeBpsMax)
  const [row] = await database.query<
    Record<'fee_bps_max' | 'open_swaps_max' | 'open_orders_max', number>
  >(
    `UPDATE accounts SET fee_bps_max = coalesce($2, fee_bps_max),
       open_swaps_max = coalesce($3, open_swaps_max),
       open_orders_max = coalesce($4, open_orders_max)
     WHERE id = $1 RETURNING fee_bps_max, open_swaps_max, open_orders_max`,
    [id, feeBpsMax ?? null, openSwapsMax ?? null, openOrdersMax ?? null],
  )
  if (row === undefined) throw noAccount(id)
  out({
    account: id,
    feeBpsMax: row.fee_bps_max,
    openSwapsMax: row.open_swaps_max,
    openOrdersMax: row.open_orders_max,
  })
}
