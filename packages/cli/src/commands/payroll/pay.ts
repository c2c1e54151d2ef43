import type { Balance } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import { showCoins } from '../../balances/balance-asset.ts'
import { toBaseUnits } from '../../amounts/decimal.ts'
import type { Again } from '../../balances/again.ts'
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
import { saveMarked } from '../../payroll/balance-marks.ts'
import {
  acceptedIn,
  assertAccepted,
  doubtsByChain,
  doubtsByReceipts,
  doubtsByRestoring,
  type Accepted,
} from '../../payroll/doubts.ts'
import { assertNoOverlap } from '../../payroll/overlaps.ts'
import { payList, type FeeLimits, type PaidList } from '../../payroll/pay-list.ts'
import { prepareList, type FundedBalance, type PreparedList } from '../../payroll/prepare-list.ts'
import { openReceipts } from '../../payroll/receipts.ts'
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
  /** The doubts that a person has checked: see `doubts.ts`. */
  readonly again?: Again
  /** The maximum fee for a line, in whole coins. */
  readonly maxFee?: string
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
  assertLimited(options)
  const accepted = acceptedIn(options.again)
  const { home } = context.settings
  const id = listId(file, options.id)
  const text = await readListFile(file)
  return usingList(home, id, async () => {
    const record = await readRecord(home, id)
    const { from, all } = await chooseBalances(context, options.from, record)
    return usingBalances(home, all, () =>
      pay(context, { id, text, record, from, all, accepted }, options),
    )
  })
}

interface ListOfBalances {
  readonly id: string
  readonly text: string
  readonly record: ListRecord | undefined
  readonly from: readonly string[]
  readonly all: readonly string[]
  readonly accepted: Accepted
}

/** @throws CliError MAX_FEE_MISSING if neither a person nor a limit decides about the fees. */
function assertLimited({ yes, maxFee }: PayOptions): void {
  if (yes !== true || maxFee !== undefined) return
  throw new CliError(
    EXIT.usage,
    'MAX_FEE_MISSING',
    'a list with --yes needs --max-fee: without it the service alone would set the fees',
    'give --max-fee, the greatest fee that you accept for one line; "sotto payroll check" shows the fees',
  )
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
  const funded = await Promise.all([...opened].map((one) => fundedOf(settings.home, one)))
  output.progress.doing('checking the list')
  const { maxFee: most } = options
  const maxFee = most === undefined ? undefined : toBaseUnits(most, asset.decimals, asset.symbol)
  const toPrepare = { ...list, asset, balances: funded, maxFee }
  const prepared = await prepareList(await context.rpc(), toPrepare)
  const { lines } = prepared
  const file = options.receipts ?? receiptsFile(settings.home, id)
  const byChain = (some: PreparedList['lines']) => doubtsByChain(settings.home, list.all, some)
  if (list.record === undefined) {
    await assertNoOverlap(settings.home, id, lines, asset.assetId, list.accepted)
  }
  const doubts = [
    ...(await doubtsByReceipts(id, lines, [file, receiptsFile(settings.home, id)])),
    ...(await doubtsByRestoring(settings.home, id, list.record, lines)),
    ...(await byChain(lines)),
  ]
  assertAccepted(doubts, list.accepted)
  const summary = await confirm(context, prepared, { list, asset, funded }, options)
  if (summary.paidBefore < lines.length) {
    // The person's answer or the wait may have taken hours. Another machine with the same files may have paid
    // meanwhile.
    for (const balance of opened.values()) await balance.state()
    assertAccepted(await byChain(lines), list.accepted)
    const record = {
      ...{ version: 1 as const, id, assetId: asset.assetId, from: lines.map(({ from }) => from) },
      lines: lines.map(({ recipient, amount }) => ({ recipient, amount: `${amount}` })),
    }
    const named = new Map([...opened].filter(([name]) => record.from.includes(name)))
    await saveMarked(settings.home, id, record, named)
  }
  const receipts = await openReceipts(file, id)
  try {
    const { progress } = output
    const isSigned = async (name: string, key: string) =>
      (await readOpened(settings.home, name)).payments.some(
        (one) => ownKeyOf(one) === key && one.step === 'signed',
      )
    const paid = await payList({
      ...{ id, asset, lines, balances: opened, feeLimits, isSigned, receipts, progress },
      ...{ accepted: list.accepted, doubtsAbout: (line) => byChain([line]) },
    })
    await show(context, summary, paid, receipts.path, asset, opened)
    return paid.refused.length === 0 ? EXIT.done : EXIT.undelivered
  } finally {
    receipts.close()
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

async function fundedOf(home: string, [name, balance]: [string, Balance]): Promise<FundedBalance> {
  const { value, senderAddress, paid } = await balance.state()
  return { name, left: value, senderAddress, paid, lapsed: (await readOpened(home, name)).lapsed }
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
