import type { Token } from '@sotto/sdk/server'
import { listedAsset } from '../../balances/balance-asset.ts'
import { listBalances } from '../../balances/balance-files.ts'
import { readOpened } from '../../balances/use-balance.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { EXIT } from '../../exit-codes.ts'
import type { ListRecord } from '../../payroll/list-record.ts'

export interface ChosenBalances {
  /** The names of the balances that may pay. */
  readonly from: readonly string[]
  /** The names of all balances to open: the balances that may pay, and the balances with which the list was begun. */
  readonly all: readonly string[]
}

/**
 * Chooses the balances that pay a list. These are the balances named with `--from`. If no balance is named, they are
 * the balances with which the list was begun. If the list wasn't begun, it is this machine's only balance. @throws
 * CliError.
 */
export async function chooseBalances(
  { settings }: CliContext,
  named: readonly string[],
  record: ListRecord | undefined,
): Promise<ChosenBalances> {
  const begun = [...new Set(record?.from ?? [])]
  const from = named.length > 0 ? [...new Set(named)] : begun
  if (from.length > 0) return { from, all: [...new Set([...from, ...begun])] }
  const known = await listBalances(settings.home)
  if (known.length === 1) return { from: known, all: known }
  const next =
    known.length === 0
      ? 'open one with: sotto balance open'
      : `name one or several with --from: ${known.join(', ')}`
  const message = `this machine has ${known.length} balances`
  throw new CliError(EXIT.usage, 'BALANCE_MISSING', message, next)
}

/** The common asset of these balances. @throws CliError if their assets differ. */
export async function sharedAsset(context: CliContext, names: readonly string[]): Promise<Token> {
  const { home } = context.settings
  const stored = await Promise.all(names.map((name) => readOpened(home, name)))
  const [assetId = '', ...others] = new Set(stored.map((one) => one.assetId))
  if (others.length === 0) return listedAsset(context, assetId)
  const message = 'the balances hold different assets'
  throw new CliError(EXIT.usage, 'ASSETS_DIFFER', message, 'use a separate list for each asset')
}
