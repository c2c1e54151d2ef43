import { showDecimal, NATIVE_MINT } from '@sotto/protocol'
import { assetOnChain, showCoins } from '../../balances/balance-asset.ts'
import { listBalances } from '../../balances/balance-files.ts'
import { readOverview, type Overview } from '../../balances/overview.ts'
import type { CliContext } from '../../context.ts'
import { flat } from '../../output/printable.ts'
import { rowsTable } from '../../output/table.ts'

const HEAD = ['name', 'status', 'left', 'ends', 'live payment']

/** `balance list`: shows this machine's balances and their values on the chain. Changes nothing. */
export async function runBalanceList(context: CliContext): Promise<void> {
  const { output, settings } = context
  const names = await listBalances(settings.home)
  output.progress.doing('reading the chain')
  const balances = await Promise.all(
    names.map(async (name) => (await readOverview(context, name)).overview),
  )
  const rows = output.isJson ? [] : await Promise.all(balances.map((one) => rowOf(context, one)))
  output.result({ balances }, () => rowsTable(HEAD, rows, output.width))
  for (const { balance, problem } of balances) {
    if (problem !== null) output.note(`${balance}: the node doesn't show it now: ${flat(problem)}`)
  }
}

async function rowOf(context: CliContext, overview: Overview): Promise<string[]> {
  const left = await showLeft(context, overview)
  return [
    overview.balance,
    overview.status,
    overview.problem === null ? left : `${left}, not confirmed`,
    overview.endsAt ?? '',
    overview.live === null ? '' : (overview.live.validUntil ?? 'begun, and not signed'),
  ]
}

/** The remaining value as text: in whole coins if the chain shows the asset's decimals, else in base units. */
export async function showLeft(
  context: CliContext,
  { assetId, left }: Pick<Overview, 'assetId' | 'left'>,
): Promise<string> {
  if (assetId === NATIVE_MINT) return `${showDecimal(left, 9)} SOL`
  // Show the balance even if the node fails.
  const asset = await assetOnChain(context, assetId).catch(() => undefined)
  return asset === undefined ? `${left} base units of ${assetId}` : showCoins(left, asset)
}
