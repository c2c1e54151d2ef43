import type { Amount } from '@sotto/protocol'
import type { PaidPayment } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import { showCoins } from '../balances/balance-asset.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { checkRecipients } from './check-recipients.ts'
import { assertUnchanged, keyOfLine, type ListRecord } from './list-record.ts'
import { greatestFee } from './payment-fee.ts'
import { planList, type Purse } from './plan-list.ts'
import { readList, type LineProblem, type ListLine } from './read-list.ts'

/** A balance that may pay, and its earlier payments by key. */
export interface FundedBalance extends Purse {
  readonly senderAddress: string
  readonly paid: ReadonlyMap<string, PaidPayment>
  /** The keys of the payments that the balance has signed and dropped later. */
  readonly lapsed: readonly string[]
}

export interface PreparedLine extends ListLine {
  /** The payment's number in the list, from 1. */
  readonly payment: number
  readonly key: string
  /** The name of the balance that pays or has paid the line. */
  readonly from: string
  /** The maximum accepted fee, in base units. */
  readonly feeMax: Amount
  readonly paid: PaidPayment | undefined
}

export interface PreparedList {
  readonly lines: readonly PreparedLine[]
  readonly warnings: readonly string[]
}

export interface ListToPrepare {
  readonly id: string
  readonly text: string
  /** The record that was stored when the list was begun; undefined for a new list. */
  readonly record: ListRecord | undefined
  readonly asset: Token
  readonly balances: readonly FundedBalance[]
  /** The balances that may pay the unpaid lines. */
  readonly from: readonly string[]
  /** The maximum fee that the user accepts for a line; undefined if there is no such limit. */
  readonly maxFee?: Amount | undefined
}

/**
 * Checks a whole list before any line is paid: its format, its recipients, and whether the balances contain enough for
 * all lines and fees. @throws CliError that names the mistakes, at most `PROBLEMS_SHOWN` of them.
 */
export async function prepareList(rpc: CliRpc, input: ListToPrepare): Promise<PreparedList> {
  const { id, record, asset, balances } = input
  const { lines, problems, ignored } = readList(input.text, asset)
  assertRight(problems)
  if (lines.length === 0) {
    throw wrong('LIST_INVALID', 'the list has no payment', 'add lines after the header line')
  }
  if (record !== undefined) assertUnchanged(record, lines, asset.assetId)
  const known = lines.map((line, index) => {
    const key = keyOfLine(id, index)
    const holder = record?.from[index]
    const payer = balances.find(
      ({ name, paid }) => (holder === undefined || name === holder) && paid.has(key),
    )
    const paid = payer?.paid.get(key)
    const feeMax = greatestFee(line.amount, asset)
    return { ...line, payment: index + 1, key, feeMax, paid, from: payer?.name ?? '' }
  })
  const unpaid = known.filter(({ paid }) => paid === undefined)
  assertCheap(unpaid, input)
  assertRight([...tooSmall(unpaid, asset), ...(await checkRecipients(rpc, unpaid, asset.assetId))])
  const chosen = planned(unpaid, input)
  const warnings = [...ownWallets(unpaid, balances), ...repeated(lines)]
  if (ignored.length > 0) warnings.push(`these columns are not used: ${ignored.join(', ')}`)
  return { lines: known.map((line) => chosen.get(line.key) ?? line), warnings }
}

function planned(
  unpaid: readonly PreparedLine[],
  { asset, balances, from }: ListToPrepare,
): Map<string, PreparedLine> {
  const purses = balances.filter(({ name }) => from.includes(name))
  const signers = signersOf(unpaid, balances)
  assertSigners(unpaid, signers, from)
  const costs = unpaid.map(({ line, key, amount, feeMax }) => {
    const [only] = signers.get(key) ?? []
    return { line, cost: amount + feeMax, only }
  })
  const plan = planList(costs, purses)
  switch (plan.kind) {
    case 'planned':
      return new Map(
        unpaid.map((line, index) => [line.key, { ...line, from: plan.from[index] ?? '' }]),
      )
    case 'short': {
      const missing = showCoins(plan.missing, asset)
      const message = `the list costs up to ${missing} more than the balances hold`
      const next = 'name every balance that may pay with --from; open one with: sotto balance open'
      throw new CliError(EXIT.refused, 'BALANCE_TOO_SMALL', message, next)
    }
    case 'split': {
      const { line, only } = plan
      const message =
        only === undefined
          ? `no single balance has enough for line ${line}: a payment comes out of one balance`
          : `only the balance "${only}" may pay line ${line}, because it signed the payment and dropped it later, ` +
            'and it has too little'
      const next =
        only === undefined
          ? 'name a balance that has enough with --from, in addition to the others'
          : NEW_FILE
      throw new CliError(EXIT.refused, 'BALANCE_TOO_SMALL', message, next)
    }
  }
}

/** For each line that a balance has signed and dropped later: the names of these balances. */
const signersOf = (
  lines: readonly PreparedLine[],
  balances: readonly FundedBalance[],
): Map<string, string[]> =>
  new Map(
    lines.map(({ key }) => [
      key,
      balances.filter(({ lapsed }) => lapsed.includes(key)).map(({ name }) => name),
    ]),
  )

const NEW_FILE =
  'if another node also shows that the payee got nothing, pay the unpaid lines from a separate file'

/**
 * Refuses a line that one balance has signed and dropped later, unless this balance pays it. The balance drops a signed
 * payment if the node shows that it can't land any more. If the node lied, only this balance finds the payment on the
 * chain before it pays again. A line that two balances have signed is always refused. @throws CliError LINE_UNCERTAIN.
 */
function assertSigners(
  lines: readonly PreparedLine[],
  signers: ReadonlyMap<string, readonly string[]>,
  from: readonly string[],
): void {
  const reasons: string[] = []
  for (const { line, key } of lines) {
    const [signer, other] = signers.get(key) ?? []
    if (signer === undefined) continue
    if (other !== undefined) {
      reasons.push(
        `line ${line} may have been paid: "${signer}" and "${other}" have both signed it`,
      )
    } else if (!from.includes(signer)) {
      reasons.push(
        `line ${line} may have been paid: the balance "${signer}" signed its payment and dropped it later; ` +
          'name that balance with --from to pay the line',
      )
    }
  }
  if (reasons.length === 0) return
  throw new CliError(EXIT.refused, 'LINE_UNCERTAIN', reasons.join('; '), NEW_FILE)
}

/** @throws CliError FEE_HIGHER if the service's tariff exceeds the fee that the user accepts. */
function assertCheap(lines: readonly PreparedLine[], { asset, maxFee }: ListToPrepare): void {
  const dear = lines.find(({ feeMax }) => maxFee !== undefined && feeMax > maxFee)
  if (dear === undefined || maxFee === undefined) return
  const [fee, most] = [showCoins(dear.feeMax, asset), showCoins(maxFee, asset)]
  const message = `the fee of line ${dear.line} may be ${fee}, and --max-fee is ${most}`
  throw new CliError(
    EXIT.declined,
    'FEE_HIGHER',
    message,
    'nothing was paid; raise --max-fee, or wait',
  )
}

const tooSmall = (lines: readonly PreparedLine[], asset: Token): LineProblem[] =>
  lines
    .filter(({ amount, feeMax }) => amount + feeMax < BigInt(asset.min))
    .map(({ line }) => ({ line, problem: 'the amount is less than the smallest possible payment' }))

const PROBLEMS_SHOWN = 20

function assertRight(problems: readonly LineProblem[]): void {
  if (problems.length === 0) return
  const sorted = [...problems].sort((a, b) => a.line - b.line)
  const shown = sorted
    .slice(0, PROBLEMS_SHOWN)
    .map(({ line, problem }) => `line ${line}: ${problem}`)
  const more = sorted.length - shown.length
  const message = shown.concat(more > 0 ? [`and ${more} more`] : []).join('; ')
  throw wrong('LIST_INVALID', message, 'correct these lines; nothing was paid')
}

/**
 * Warnings for lines that pay the wallet that topped up a balance. The chain shows that this wallet made the
 * balance's deposit.
 */
const ownWallets = (lines: readonly ListLine[], balances: readonly FundedBalance[]): string[] =>
  lines
    .filter(({ recipient }) => balances.some(({ senderAddress }) => senderAddress === recipient))
    .map(
      ({ line }) =>
        `line ${line} pays the wallet of a top-up, which links this payment with its balance`,
    )

function repeated(lines: readonly ListLine[]): string[] {
  const first = new Map<string, ListLine>()
  const warnings: string[] = []
  for (const line of lines) {
    const former = first.get(line.recipient)
    first.set(line.recipient, former ?? line)
    if (former === undefined) continue
    const same = former.amount === line.amount ? ' the same amount' : ''
    warnings.push(`line ${line.line} pays${same} to the recipient of line ${former.line} again`)
  }
  return warnings
}

const wrong = (code: string, message: string, next: string): CliError =>
  new CliError(EXIT.usage, code, message, next)
