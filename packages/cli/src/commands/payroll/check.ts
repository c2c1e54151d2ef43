import { isoOfSeconds } from '../../output/show-time.ts'
import { balanceStore } from '../../balances/balance-files.ts'
import { quietFrom } from '../../balances/soon-after-top-up.ts'
import { readOpened } from '../../balances/use-balance.ts'
import type { CliContext } from '../../context.ts'
import { listId, readRecord } from '../../payroll/list-record.ts'
import { prepareList } from '../../payroll/prepare-list.ts'
import { chooseBalances, sharedAsset } from './funded-balances.ts'
import { readListFile } from './read-list-file.ts'
import { payersOf, showSummary, summaryOf } from './show-list.ts'

export interface CheckOptions {
  readonly from: readonly string[]
  readonly id?: string
}

/** `payroll check`: checks a whole list as `payroll pay` does, but pays nothing. */
export async function runPayrollCheck(
  context: CliContext,
  file: string,
  options: CheckOptions,
): Promise<void> {
  const { output, settings } = context
  const { home, programId } = settings
  const id = listId(file, options.id)
  const text = await readListFile(file)
  const record = await readRecord(home, id)
  const { from, all } = await chooseBalances(context, options.from, record)
  const asset = await sharedAsset(context, all)
  const rpc = await context.rpc()
  output.progress.doing('checking the list')
  const { readBalance } = await import('@sotto/sdk/balance')
  const balances = await Promise.all(
    all.map(async (name) => {
      const state = await readBalance({ store: balanceStore(home, name), rpc, programId })
      return { name, ...state, left: state.value, lapsed: (await readOpened(home, name)).lapsed }
    }),
  )
  const list = await prepareList(rpc, { id, text, record, asset, balances, from })
  const quiet = await quietFrom(context, payersOf(list))
  const summary = summaryOf(id, list, balances, quiet !== undefined)
  const shown = {
    ...{ kind: 'checked', ...summary },
    quietFrom: quiet === undefined ? null : isoOfSeconds(quiet.at),
  }
  output.result(shown, () => showSummary(summary, asset, quiet?.at))
}
