import { isAddress, parseAmount, unixSeconds, type Amount, takeOut } from '@sotto/protocol'
import { readChainClock } from '@sotto/recovery'
import type {
  Balance,
  PaidPayment,
  PaymentRequest,
  StoredBalance,
  StoredPayment,
} from '@sotto/sdk/balance'
import { toPaidUnits } from '../../amounts/decimal.ts'
import { listedAsset, showCoins, type BalanceAsset } from '../../balances/balance-asset.ts'
import {
  againOptions,
  againTransactions,
  transactionName,
  type Again,
} from '../../balances/again.ts'
import { usingBalances } from '../../balances/balance-files.ts'
import { mindTopUp, type SoonOptions } from '../../balances/soon-after-top-up.ts'
import { assertOwnKey, ownKeyOf } from '../../balances/payment-names.ts'
import { describeUnrecorded, findUnrecorded, mayBeMade } from '../../balances/unrecorded.ts'
import { readOpened, useBalance } from '../../balances/use-balance.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { EXIT } from '../../exit-codes.ts'
import { flat } from '../../output/printable.ts'
import { fieldsTable } from '../../output/table.ts'
import { assertAskable } from '../approve.ts'
import { paymentApprover } from './approve-payment.ts'
import { showPaymentPrivacy } from './show-payment-privacy.ts'

export interface SendOptions extends SoonOptions {
  /** True if the amount includes the fee. */
  readonly exactIn?: boolean
  readonly key?: string
  /** The unrecorded payments like this one that a person has checked. */
  readonly again?: Again
  readonly maxFee?: string
  readonly interval: number
}

export interface SendArguments {
  readonly name: string
  /** The amount in whole coins. */
  readonly amount: string
  readonly recipient: string
}

/** `balance send`: makes one payment from a balance, without the wallet. */
export async function runBalanceSend(
  context: CliContext,
  named: SendArguments,
  options: SendOptions,
): Promise<void> {
  assertAskable(context, options)
  assertWallet(named.recipient)
  if (options.key !== undefined) assertOwnKey(options.key)
  const checked = againTransactions(options.again)
  const { home } = context.settings
  await usingBalances(home, [named.name], () => send(context, named, options, checked))
}

async function send(
  context: CliContext,
  { name, amount, recipient }: SendArguments,
  options: SendOptions,
  checked: readonly (string | null)[],
): Promise<void> {
  const { output, settings } = context
  const stored = await readOpened(settings.home, name)
  const asset = await listedAsset(context, stored.assetId)
  const units = toPaidUnits(amount, asset.decimals, asset.symbol)
  const mode = options.exactIn === true ? 'exact_in' : 'exact_out'
  const request = { to: recipient, amount: `${units}`, mode } as const
  const key = options.key ?? keyFor(stored, request)
  let left = stored.value
  let hasPaid = false
  let at = stored.linkableUntil ?? unixSeconds(0n)
  const question = 'Pay this?'
  const { givenAwayBy } = await import('@sotto/sdk/balance')
  const { balance, madeBefore } = await useBalance(context, name, {
    interval: options.interval,
    approve: paymentApprover(context, options, {
      ...{ recipient, asset, question, left: () => left },
      privacyOf: (quoted) => {
        const gross = parseAmount(quoted.quote.amountIn)
        const payment = { to: recipient, gross, at }
        const reasons = givenAwayBy({ ...stored, value: left, hasPaid }, payment)
        return showPaymentPrivacy(quoted, asset, reasons)
      },
    }),
  })
  noteMade(context, madeBefore, key, asset)
  const before = await balance.state()
  left = before.value
  const { payments } = await readOpened(settings.home, name)
  hasPaid = payments.some(({ step }) => step === 'paid')
  const isPaidBefore = before.paid.has(key)
  const isSoon = isPaidBefore ? false : await mindTopUp(context, [name], options)
  // If the node fails here, continue with a time that has certainly passed. An error would waste the user's wait, which
  // may have taken hours.
  const readBefore = isSoon ? unixSeconds(0n) : at
  at = await readChainClock(await context.rpc()).catch(() => readBefore)
  if (!isPaidBefore) {
    await assertRecorded(context, name, request, checked)
    await balance.mark(key, UNSHOWN)
  }
  output.progress.doing('paying; the chain confirms it in a few seconds')
  const paid = await balance
    .send({ key, ...request, except: checked })
    .catch(async (error: unknown) => {
      if (mayBeMade(error)) await assertRecorded(context, name, request, checked)
      throw error
    })
  const rest = isPaidBefore ? before.value : await valueOf(balance)
  const shown = {
    ...{ kind: 'payment', balance: name, key, recipient, ...paid },
    ...{ paidBefore: isPaidBefore, soonAfterTopUp: isSoon, left: rest },
  }
  output.result(shown, () => showPayment(shown, asset))
  // If the result wasn't written, a repeated command shows it instead of paying again.
  if ((await output.written()) === undefined) await balance.mark(key, SHOWN)
}

/**
 * Refuses a payment if the chain shows an equal payment that the balance's store has no record of, and that no person
 * has checked. @throws CliError PAYMENT_UNCERTAIN.
 */
async function assertRecorded(
  { settings }: CliContext,
  name: string,
  request: PaymentRequest,
  checked: readonly (string | null)[],
): Promise<void> {
  const found = await findUnrecorded(settings.home, [name], request)
  const unused = [...checked]
  const open = found.filter(({ signature }) => !takeOut(unused, signature))
  if (open.length === 0) return
  const message = `this payment may have been made: ${open.map(describeUnrecorded).join('; ')}`
  const values = found.map(({ signature }) => transactionName(signature))
  const next = `compare with the chain; to pay once more, add ${againOptions(values)}`
  throw new CliError(EXIT.refused, 'PAYMENT_UNCERTAIN', message, next)
}

/** The remaining value; null if the node doesn't show it. The payment was made, so its result is shown anyway. */
const valueOf = (balance: Balance): Promise<Amount | null> =>
  balance.state().then(
    ({ value }) => value,
    () => null,
  )

/**
 * The marks of a payment by this command. If a command ended without a result, the user repeats it. So until the result
 * is written, an equal command continues the same payment, even if that payment was made.
 */
const UNSHOWN = 'unshown'
const SHOWN = 'shown'

/**
 * Returns the key for this payment. If an earlier command left an equal payment unfinished, or never showed its result,
 * returns that payment's key, so that this command continues that payment. Otherwise returns a new key.
 */
export function keyFor({ payments, marks }: StoredBalance, request: PaymentRequest): string {
  const isContinued = (one: StoredPayment): boolean => {
    const key = ownKeyOf(one)
    if (key?.startsWith(OWN_KEY) !== true) return false
    const isSame =
      one.request.to === request.to &&
      one.request.amount === request.amount &&
      (one.request.mode ?? 'exact_out') === request.mode
    return isSame && (one.step !== 'paid' || marks.get(key) === UNSHOWN)
  }
  const same = payments.find(isContinued)
  const former = same === undefined ? undefined : ownKeyOf(same)
  if (former !== undefined) return former
  const taken = new Set(payments.map(ownKeyOf))
  for (let number = payments.length + 1; ; number += 1) {
    const key = `${OWN_KEY}${number}`
    if (!taken.has(key)) return key
  }
}

/** Prefix of the keys that this command generates. */
const OWN_KEY = 'cli-'

interface ShownPayment extends PaidPayment {
  readonly balance: string
  readonly recipient: string
  /** True if an earlier command had already made the payment. This command then paid nothing. */
  readonly paidBefore: boolean
  /** The value after the payment; null if the node doesn't show it. */
  readonly left: Amount | null
}

const UNREAD = 'your node does not show it now; see: sotto balance show'

function showPayment(shown: ShownPayment, asset: BalanceAsset): string {
  return fieldsTable([
    ['paid to', shown.recipient],
    ['arrived', showCoins(shown.payout, asset)],
    ['fee', showCoins(shown.fee, asset)],
    ['balance', shown.balance],
    ['left in balance', shown.left === null ? UNREAD : showCoins(shown.left, asset)],
    ['tracking id', shown.trackingId],
    ['transaction', shown.signature ?? 'no longer on record'],
    [
      'note',
      shown.paidBefore
        ? 'an earlier command made this payment; this command paid nothing'
        : undefined,
    ],
  ])
}

/** Reports payments of earlier commands that have landed meanwhile. The user may believe that these payments failed. */
export function noteMade(
  { output }: CliContext,
  made: readonly StoredPayment[],
  key: string | undefined,
  asset: BalanceAsset,
): void {
  for (const payment of made) {
    const isOther = key === undefined || ownKeyOf(payment) !== key
    if (!isOther || payment.step !== 'paid') continue
    const sum = flat(showCoins(payment.paid.payout, asset))
    output.note(`A payment of an earlier command was made: ${sum} to ${payment.request.to}.`)
  }
}

function assertWallet(recipient: string): void {
  if (isAddress(recipient)) return
  const message = `"${recipient}" is not a Solana address`
  const next = 'give the recipient as a base58 address'
  throw new CliError(EXIT.usage, 'ADDRESS_INVALID', message, next)
}
