import type { Address, Amount, AssetAccount } from '@sotto/protocol'
import type { Sql } from '../../adapters/store/sql.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { AssetRow } from './asset-row.ts'

/**
 * Checks that a repeated `asset add` names the settings that the service has. With an automatic tariff, the network
 * fees follow the cost of deliveries, so they aren't compared.
 *
 * @throws OperatorError if the service has the asset with other settings.
 */
export async function assertSameRow(sql: Sql, wanted: AssetRow): Promise<void> {
  const [row] = await sql.query<Record<string, unknown>>('SELECT * FROM assets WHERE mint = $1', [
    wanted.mint,
  ])
  if (row === undefined) return
  const isFixed = row['tariff'] === 'fixed'
  const compared = [
    ['--symbol', row['symbol'], wanted.symbol],
    ['--name', row['name'], wanted.name],
    ['--service-bps', row['service_bps'], wanted.serviceBps],
    [
      '--network-fee-exists',
      isFixed && row['network_fee_exists'],
      isFixed && wanted.networkFeeExists,
    ],
    [
      '--network-fee-created',
      isFixed && row['network_fee_created'],
      isFixed && wanted.networkFeeCreated,
    ],
    ['--input-max', row['input_max'], wanted.inputMax],
    ['--swappable', row['is_swappable'], wanted.isSwappable],
  ] as const
  const others = compared.flatMap(([option, has, want]) => (`${has}` === `${want}` ? [] : option))
  if (others.length === 0) return
  throw new OperatorError(
    `the asset exists with other settings (${others.join(', ')}); change them with: sotto-server asset set --mint ${wanted.mint}`,
  )
}

/** The limits that `asset add` writes on the chain. */
export interface AssetLimits {
  readonly depositMax: Amount
  readonly swapCap: Amount
  readonly swapPeriodSeconds: number
}

/**
 * Checks that a repeated `asset add` names the limits that the chain has.
 *
 * @throws OperatorError if the asset is on the chain with other limits.
 */
export function assertSameLimits(mint: Address, present: AssetAccount, wanted: AssetLimits): void {
  const { depositMax, swapCap, swapPeriodSeconds } = present
  const isSame =
    depositMax === wanted.depositMax &&
    swapCap === wanted.swapCap &&
    `${swapPeriodSeconds}` === `${wanted.swapPeriodSeconds}`
  if (isSame) return
  throw new OperatorError(
    `the chain has the asset with other limits: name --input-max ${depositMax} --swap-cap ${swapCap} --swap-period ${swapPeriodSeconds}, ` +
      `and change them with: sotto-server asset set --mint ${mint}`,
  )
}
