import { listedAsset, showCoins } from '../../balances/balance-asset.ts'
import { usingBalances } from '../../balances/balance-files.ts'
import { readFacts } from '../../balances/balance-facts.ts'
import { readOpened, useBalance } from '../../balances/use-balance.ts'
import type { CliContext } from '../../context.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import { fieldsTable } from '../../output/table.ts'
import { assertAskable } from '../approve.ts'
import { paymentApprover } from './approve-payment.ts'
import { noteMade } from './send.ts'

export interface CloseOptions {
  readonly yes?: boolean
  readonly maxFee?: string
  readonly interval: number
}

/** `balance close`: pays the whole rest to the wallet that made the top-up. */
export async function runBalanceClose(
  context: CliContext,
  name: string,
  options: CloseOptions,
): Promise<void> {
  assertAskable(context, options)
  await usingBalances(context.settings.home, [name], () => close(context, name, options))
}

async function close(context: CliContext, name: string, options: CloseOptions): Promise<void> {
  const { output, settings } = context
  const stored = await readOpened(settings.home, name)
  const { senderAddress: recipient } = stored
  const asset = await listedAsset(context, stored.assetId)
  const { isReturned } = await readFacts(settings.home, name)
  if (options.yes !== true && isReturned === true && stored.endsAt !== null) {
    const end = isoOfSeconds(stored.endsAt)
    output.note(`Without this payment the rest returns at ${end}, free of charge.`)
  }
  let left = stored.value
  const question = 'Pay the rest to the wallet that made the top-up?'
  const { balance, madeBefore } = await useBalance(context, name, {
    interval: options.interval,
    approve: paymentApprover(context, options, {
      ...{ recipient, asset, question, left: () => left },
    }),
  })
  noteMade(context, madeBefore, undefined, asset)
  left = (await balance.state()).value
  output.progress.doing('paying; the chain confirms it in some seconds')
  const paid = await balance.close()
  const shown = { kind: 'close', balance: name, recipient, ...paid }
  output.result(shown, () =>
    fieldsTable([
      ['returned to', recipient],
      ['arrived', showCoins(paid.payout, asset)],
      ['fee', showCoins(paid.fee, asset)],
      ['tracking id', paid.trackingId],
      ['transaction', paid.signature ?? 'no longer on record'],
    ]),
  )
}
