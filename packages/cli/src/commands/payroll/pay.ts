import type { Balance } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import { showCoins } from '../../balances/balance-asset.ts'
import { usingBalances } from '../../balances/balance-files.ts'
import { mindTopUp, quietFrom } from '../../balances/soon-after-top-up.ts'
import { ownKeyOf } from '../../balances/payment-names.ts'
import { readOpened, useBalance } from '../../balances/use-balance.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { fieldsTable } from '../../output/table.ts'
import {
  listId,
  readRecord,
  receiptsFile,
  usingList,
  type ListRecord,
} from '../../payroll/list-record.ts'
import {
  assertCertain,
  assertRecorded,
  requestOf,
  saveMarked,
} from '../../payroll/balance-marks.ts'
import { payList, type FeeLimits, type PaidList } from '../../payroll/pay-list.ts'
import { prepareList, type FundedBalance, type PreparedList } from '../../payroll/prepare-list.ts'
import { openReceipts, paidReceipts, type Receipt } from '../../payroll/receipts.ts'
import { assertAskable } from '../approve.ts'
import { noteMade } from '../balance/send.ts'
import { chooseBalances, sharedAsset } from './funded-balances.ts'
import { readListFile } from './read-list-file.ts'
import { payersOf, showSummary, summaryOf, type ListSummary } from './show-list.ts'

export interface PayOptions {
  readonly from: readonly string[]
  readonly id?: string
  readonly yes?: boolean
  /** True to wait until a random moment at which the payments don't reveal the top-up. */
  readonly wait?: boolean
  readonly receipts?: string
  /** True to pay a line that may have been paid before, although no balance has a record of that payment. */
  readonly again?: boolean
  /** Seconds between two polls. */
  readonly interval: number
}

/** `payroll pay`: pays every line of a list once, and continues a list that an earlier command began. */
export async function runPayrollPay(
  context: CliContext,
  file: string,
  options: PayOptions,
): Promise<ExitCode> {
  assertAskable(context, options)
  const { home } = context.settings
  const id = listId(file, options.id)
  const text = await readListFile(file)
  return usingList(home, id, async () => {
    const record = await readRecord(home, id)
    const { from, all } = await chooseBalances(context, options.from, record)
    return usingBalances(home, all, () => pay(context, { id, text, record, from, all }, options))
  })
}

interface ListOfBalances {
  readonly id: string
  readonly text: string
  readonly record: ListRecord | undefined
  readonly from: readonly string[]
  readonly all: readonly string[]
}

async function pay(
  context: CliContext,
  list: ListOfBalances,
  options: PayOptions,
): Promise<ExitCode> {
  const { output, settings } = context
  const { id } = list
  const asset = await sharedAsset(context, list.all)
  const feeLimits: FeeLimits = new Map()
  output.progress.doing('opening the balances')
  const opened = await openAll(context, list.all, asset, feeLimits, options)
  const funded = await Promise.all([...opened].map(fundedOf))
  output.progress.doing('checking the list')
  const prepared = await prepareList(await context.rpc(), { ...list, asset, balances: funded })
  const { lines } = prepared
  const file = options.receipts ?? receiptsFile(settings.home, id)
  if (options.again !== true) {
    for (const path of new Set([file, receiptsFile(settings.home, id)])) {
      assertNoReceipt(lines, await paidReceipts(path, id))
    }
    await assertCertain(settings.home, id, list.record, lines)
    await assertRecorded(settings.home, list.all, lines)
  }
  const summary = await confirm(context, prepared, { list, asset, funded }, options)
  if (summary.paidBefore < lines.length) {
    if (options.again !== true) {
      // The person or the wait may have taken hours. Another machine with the same files may have paid meanwhile.
      for (const balance of opened.values()) await balance.state()
      await assertRecorded(settings.home, list.all, lines)
    }
    const record = {
      ...{ version: 1 as const, id, assetId: asset.assetId, from: lines.map(({ from }) => from) },
      lines: lines.map(({ recipient, amount }) => ({ recipient, amount: `${amount}` })),
    }
    const named = new Map([...opened].filter(([name]) => record.from.includes(name)))
    await saveMarked(settings.home, id, record, named)
    for (const line of lines.filter(({ paid }) => paid === undefined)) {
      for (const balance of opened.values()) await balance.forgetUnrecorded(requestOf(line))
    }
  }
  const receipts = await openReceipts(file, id)
  try {
    const { progress } = output
    const isSigned = async (name: string, key: string) =>
      (await readOpened(settings.home, name)).payments.some(
        (one) => ownKeyOf(one) === key && one.step === 'signed',
      )
    const used = { id, asset, lines, balances: opened, feeLimits, isSigned, receipts, progress }
    const paid = await payList(used)
    await show(context, summary, paid, receipts.path, asset, opened)
    return paid.refused.length === 0 ? EXIT.done : EXIT.undelivered
  } finally {
    receipts.close()
  }
}

/**
 * Refuses a list if a receipt says that a line was paid, and no balance has a record of that payment. The record is lost
 * if the balance was restored from a ticket or from an older copy of its file. @throws CliError PAID_BEFORE.
 */
function assertNoReceipt(lines: PreparedList['lines'], paid: ReadonlyMap<number, Receipt>): void {
  for (const line of lines) {
    const receipt = line.paid === undefined ? paid.get(line.payment) : undefined
    if (receipt === undefined) continue
    const proof = receipt.trackingId ?? receipt.signature ?? 'unknown'
    const message = `a receipt says that line ${line.line} was paid (${proof}), but the balance has no record of it`
    const next =
      'compare the list with the chain; then remove paid lines and give another --id, or add --again, which pays every line without a record once more'
    throw new CliError(EXIT.refused, 'PAID_BEFORE', message, next)
  }
}

/** Opens the balances one at a time. If an earlier command signed a payment, waits until that payment has ended. */
async function openAll(
  context: CliContext,
  names: readonly string[],
  asset: Token,
  feeLimits: FeeLimits,
  { interval }: PayOptions,
): Promise<Map<string, Balance>> {
  const opened = new Map<string, Balance>()
  for (const name of names) {
    const { balance, madeBefore } = await useBalance(context, name, {
      interval,
      approve: ({ quote }) => BigInt(quote.fee) <= (feeLimits.get(name) ?? 0n),
    })
    noteMade(context, madeBefore, undefined, asset)
    opened.set(name, balance)
  }
  return opened
}

async function fundedOf([name, balance]: [string, Balance]): Promise<FundedBalance> {
  const { value, senderAddress, paid } = await balance.state()
  return { name, left: value, senderAddress, paid }
}

/** Shows the cost of the list and asks the person once. @throws CliError if the person declines. */
async function confirm(
  context: CliContext,
  prepared: PreparedList,
  {
    list,
    asset,
    funded,
  }: {
    readonly list: ListOfBalances
    readonly asset: Token
    readonly funded: readonly FundedBalance[]
  },
  { yes, wait }: PayOptions,
): Promise<ListSummary> {
  const { output, signal } = context
  const payers = payersOf(prepared)
  const quiet = await quietFrom(context, payers)
  const isSoon = quiet !== undefined && wait !== true
  const summary = summaryOf(list.id, prepared, funded, isSoon)
  if (summary.paidBefore === summary.lines) return summary
  output.note(showSummary(summary, asset, isSoon ? quiet.at : undefined))
  if (yes !== true && !(await output.ask('Pay this list?', signal))) {
    const next = isSoon
      ? 'repeat with --wait to pay at a moment that does not point to the top-up'
      : 'nothing was paid'
    throw new CliError(EXIT.declined, 'DECLINED', 'the list was not confirmed', next)
  }
  if (wait === true) await mindTopUp(context, payers, { wait })
  return summary
}

async function show(
  { output }: CliContext,
  { list, lines, paidBefore }: ListSummary,
  { paidNow, refused }: PaidList,
  receipts: string,
  asset: Token,
  opened: ReadonlyMap<string, Balance>,
): Promise<void> {
  const states = await Promise.all([...opened.values()].map((balance) => balance.state()))
  const left = states.reduce((sum, { value }) => sum + value, 0n)
  const shown = { kind: 'paid', list, lines, paidBefore, paidNow, refused, left, receipts }
  output.result(shown, () =>
    fieldsTable([
      ['list', list],
      ['paid now', `${paidNow} of ${lines}`],
      ['paid before', paidBefore === 0 ? undefined : `${paidBefore}`],
      [
        'refused',
        refused.length === 0
          ? undefined
          : refused.map(({ line, code }) => `line ${line} (${code})`).join(', '),
      ],
      ['left', showCoins(left, asset)],
      ['receipts', receipts],
      [
        'note',
        paidNow === 0 && refused.length === 0
          ? 'every line was paid before; to pay the same lines again, give another --id'
          : undefined,
      ],
    ]),
  )
}
