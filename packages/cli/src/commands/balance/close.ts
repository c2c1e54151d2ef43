import { listedAsset, showCoins } from '../../balances/balance-asset.ts'
import { usingBalances } from '../../balances/balance-files.ts'
import { readFacts } from '../../balances/balance-facts.ts'
import { readOpened, useBalance } from '../../balances/use-balance.ts'
import { CliError } from '../../cli-error.ts'
import type { CliContext } from '../../context.ts'
import { EXIT } from '../../exit-codes.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import { fieldsTable } from '../../output/table.ts'
import { refusalMessage } from '../../refusal-message.ts'
import { assertAskable } from '../approve.ts'
import { paymentApprover } from './approve-payment.ts'
import { noteMade } from './send.ts'

export interface CloseOptions {
  readonly yes?: boolean
  readonly maxFee?: string
  /** True to return the whole rest, without leaving a part of it in the pool. */
  readonly all?: boolean
  readonly interval: number
}

/** `balance close`: pays the rest to the wallet that made the top-up. */
export async function runBalanceClose(
  context: CliContext,
  name: string,
  options: CloseOptions,
): Promise<void> {
  assertAskable(context, options)
  await usingBalances(context.settings.home, [name], () => close(context, name, options))
}

const RESIDUE =
  'Anyone who reads the public blockchain sees how much returns to your wallet, and so knows roughly how much you have sent in total. A random part of the rest, up to a thousandth of the top-up, does not return: you give it up. If everything returned, the payments of this balance would add up exactly to the top-up minus the returned amount, and anyone could find them. Don’t fetch the given-up part with the ticket later, because everyone would then see the exact sum. It is more private to keep the balance and send most of what is left to other people. --all returns everything.'
const WHOLE =
  'Everything returns. Anyone who reads the public blockchain can then find the payments of this balance, because they add up exactly to the part of the top-up that does not return. Without --all, you give up a small part, which makes them hard to find. It is more private to keep the balance and send most of what is left to other people.'

const BEGUN =
  'This balance is being closed already, with the amount that an earlier command signed.'

async function close(context: CliContext, name: string, options: CloseOptions): Promise<void> {
  const { output, settings } = context
  const stored = await readOpened(settings.home, name)
  const { senderAddress: recipient } = stored
  const asset = await listedAsset(context, stored.assetId)
  const { isReturned } = await readFacts(settings.home, name)
  if (options.yes !== true && isReturned === true && stored.endsAt !== null) {
    const end = isoOfSeconds(stored.endsAt)
    output.note(
      `Without this payment, the rest returns at ${end}, free of charge. Everyone then sees exactly how much this balance has paid in total.`,
    )
  }
  const isBegun = stored.payments.some(({ kind, step }) => kind === 'close' && step === 'signed')
  output.note(isBegun ? BEGUN : options.all === true ? WHOLE : RESIDUE)
  let left = stored.value
  const question = 'Pay the rest to the wallet that made the top-up?'
  const { balance, madeBefore } = await useBalance(context, name, {
    interval: options.interval,
    approve: paymentApprover(context, options, {
      ...{ recipient, asset, question, left: () => left },
    }),
  })
  const isClosed = madeBefore.some(({ kind }) => kind === 'close')
  const others = madeBefore.filter(({ kind }) => kind !== 'close')
  noteMade(context, others, undefined, asset)
  left = (await balance.state()).value
  output.progress.doing('paying; the chain confirms it in a few seconds')
  const isWhole = options.all === true
  const closing = balance.close(isWhole && !isClosed ? { kept: 0n } : {})
  const paid = await (isWhole ? closing : closing.catch(offerWhole))
  const { value: kept } = await balance.state()
  const shown = { kind: 'close', balance: name, recipient, ...paid, kept: `${kept}` }
  output.result(shown, () =>
    fieldsTable([
      ['returned to', recipient],
      ['arrived', showCoins(paid.payout, asset)],
      ['fee', showCoins(paid.fee, asset)],
      ['given up', showCoins(`${kept}`, asset)],
      ['tracking id', paid.trackingId],
      ['transaction', paid.signature ?? 'no longer on record'],
    ]),
  )
}

/**
 * Throws the error of a closing payment. If the service refuses its amount, the error names the option with which
 * everything returns. Only the user may decide this, because it shows the exact sum of the payments.
 */
function offerWhole(error: unknown): never {
  const { name, code } = (error ?? {}) as { readonly name?: string; readonly code?: string }
  if (name !== 'SottoApiError' || code !== 'AMOUNT_OUT_OF_RANGE') throw error
  const refusal = refusalMessage(error as Error & { readonly code: string })
  const message = `the service refuses the amount of this payment: ${refusal}`
  const next =
    'if the rest is too small to give up a part of it, add --all: then everything returns, and everyone can compute ' +
    'the exact sum of the payments'
  throw new CliError(EXIT.refused, code, message, next, { cause: error })
}
