import type { Amount } from '@sotto/protocol'
import type { Balance } from '@sotto/sdk/balance'
import { toDecimal } from '../amounts/decimal.ts'
import { showCoins, type BalanceAsset } from '../balances/balance-asset.ts'
import { mayBeMade } from '../balances/unrecorded.ts'
import { CliError } from '../cli-error.ts'
import { nowMs } from '../clock.ts'
import { EXIT } from '../exit-codes.ts'
import type { Progress } from '../output/progress.ts'
import { requestOf } from './balance-marks.ts'
import { assertAccepted, checkedFor, type Accepted, type Doubt } from './doubts.ts'
import { LineError } from './line-error.ts'
import type { PreparedLine } from './prepare-list.ts'
import type { Receipt, Receipts } from './receipts.ts'

/** For each balance, by its name: the maximum fee that the user confirmed for the line that the balance is paying. */
export type FeeLimits = Map<string, Amount>

export interface ListToPay {
  readonly id: string
  readonly asset: BalanceAsset
  readonly lines: readonly PreparedLine[]
  readonly balances: ReadonlyMap<string, Balance>
  /** The `approve` function of each balance accepts no fee above the balance's limit in this map. */
  readonly feeLimits: FeeLimits
  /** True if the balance's store contains a signature for the key. Such a payment may still land. */
  readonly isSigned: (balance: string, key: string) => Promise<boolean>
  /** The doubts that a person has checked. They don't prevent the payment of a line. */
  readonly accepted: Accepted
  /** The reasons why the line may have been paid, as the chain shows them now. */
  readonly doubtsAbout: (line: PreparedLine) => Promise<readonly Doubt[]>
  readonly receipts: Receipts
  readonly progress: Progress
}

export interface PaidList {
  /** Number of lines that this run paid. */
  readonly paidNow: number
  /** The lines that the service refuses permanently, each with the refusal's code. */
  readonly refused: readonly { readonly line: number; readonly code: string }[]
}

/**
 * Codes with which the service refuses a single line before it is signed. Such a refusal doesn't affect the other
 * lines.
 */
const OF_ONE_LINE = [
  'RECIPIENT_NOT_PAYABLE',
  'SCREENING_REFUSED',
  'AMOUNT_OUT_OF_RANGE',
  'INVALID_ADDRESS',
]

/**
 * Pays every unpaid line once, and writes a receipt for each. All balances pay at the same time, and each balance
 * pays its lines in the order of the list. @throws LineError if a line can't be paid now.
 */
export async function payList(list: ListToPay): Promise<PaidList> {
  for (const line of list.lines) {
    // If the command crashed between a payment and its receipt, the line is paid but has no receipt. Write the
    // receipt now.
    if (line.paid !== undefined && !list.receipts.paid.has(line.payment)) {
      list.receipts.add(receiptOf(list, line, { status: 'paid', ...line.paid, code: null }))
    }
  }
  const run = { paidNow: 0, isStopped: false, refused: [] as { line: number; code: string }[] }
  const results = await Promise.allSettled(
    [...list.balances].map(async ([name, balance]) => {
      const lines = list.lines.filter(({ from, paid }) => from === name && paid === undefined)
      for (const line of lines) {
        if (run.isStopped) return
        await payLine(list, balance, line, run).catch((error: unknown) => {
          run.isStopped = true
          throw new LineError(line.line, error)
        })
      }
    }),
  )
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason as Error
  return run
}

async function payLine(
  list: ListToPay,
  balance: Balance,
  line: PreparedLine,
  run: { paidNow: number; readonly refused: { line: number; code: string }[] },
): Promise<void> {
  const { lines, progress, receipts, feeLimits, accepted } = list
  const before = lines.filter(({ paid }) => paid !== undefined).length
  progress.doing(`paid ${before + run.paidNow} of ${lines.length}; paying line ${line.line}`)
  feeLimits.set(line.from, line.feeMax)
  const { key } = line
  const request = requestOf(line)
  const except = checkedFor(line, accepted)
  try {
    const paid = await balance.send({ key, ...request, except })
    receipts.add(receiptOf(list, line, { status: 'paid', ...paid, code: null }))
    run.paidNow += 1
    if (except.length === 0) return
    // A checked payment may have come out of another balance. It must not prevent that balance from paying the next
    // list.
    for (const one of list.balances.values()) await one.forgetUnrecorded(request, except)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'QUOTE_DECLINED') throw feeRose(list.asset, line)
    if (mayBeMade(error)) assertAccepted(await list.doubtsAbout(line), accepted)
    if (!OF_ONE_LINE.includes(code) || (await list.isSigned(line.from, key))) throw error
    const nothing = { status: 'refused', fee: null, trackingId: null, signature: null } as const
    receipts.add(receiptOf(list, line, { ...nothing, code }))
    run.refused.push({ line: line.line, code })
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

function feeRose(asset: BalanceAsset, { feeMax }: PreparedLine): CliError {
  const message = `the fee is higher than the ${showCoins(feeMax, asset)} that was shown`
  const next = 'repeat the command: it shows the new fees, and pays no line again'
  return new CliError(EXIT.declined, 'FEE_HIGHER', message, next)
}

function receiptOf(
  { id, asset }: Pick<ListToPay, 'id' | 'asset'>,
  { payment, line, reference, recipient, amount, from }: PreparedLine,
  end: Pick<Receipt, 'status' | 'fee' | 'trackingId' | 'signature' | 'code'>,
): Receipt {
  const { status, fee, trackingId, signature, code } = end
  return {
    ...{ list: id, payment, line, reference, recipient },
    ...{ amount: toDecimal(amount, asset.decimals), asset: asset.assetId, status, balance: from },
    fee: fee === null ? null : toDecimal(fee, asset.decimals),
    ...{ trackingId, signature, code, at: new Date(nowMs()).toISOString() },
  }
}
