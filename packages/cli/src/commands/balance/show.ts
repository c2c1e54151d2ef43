import { amount } from '@sotto/protocol'
import type { StoredPayment } from '@sotto/sdk/balance'
import { readFacts } from '../../balances/balance-facts.ts'
import { balanceFile, balanceTicketFile } from '../../balances/balance-files.ts'
import { labelOf } from '../../balances/payment-names.ts'
import { readOverview, type LivePayment, type Overview } from '../../balances/overview.ts'
import { quietFrom } from '../../balances/soon-after-top-up.ts'
import { nowMs } from '../../clock.ts'
import type { CliContext } from '../../context.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import { fieldsTable, rowsTable } from '../../output/table.ts'
import { showLeft } from './list.ts'
import { showReturn } from './show-top-up.ts'

const HEAD = ['key', 'paid to', 'arrived', 'fee', 'tracking id']

/** `balance show`: shows one balance with its payments. Changes nothing. */
export async function runBalanceShow(context: CliContext, name: string): Promise<void> {
  const { output, settings } = context
  const { home } = settings
  output.progress.doing('reading the chain')
  const { overview, stored } = await readOverview(context, name)
  const facts = await readFacts(home, name)
  const canPay = overview.status === 'open' || overview.status === 'paying'
  const quiet = canPay ? await quietFrom(context, [name]) : undefined
  const shown = {
    ...overview,
    autoReturn: facts.isReturned,
    // After this time, the time of a payment no longer points to the top-up.
    quietFrom: quiet === undefined ? null : isoOfSeconds(quiet.at),
    file: balanceFile(home, name),
    ticket: balanceTicketFile(home, name),
    payments: stored.payments,
  }
  if (output.isJson) return output.result(shown, () => '')
  // Nothing returns from a balance that was closed or paid out, so it has no end that matters.
  const isOver = overview.status === 'closed' || overview.status === 'empty'
  const left = await showLeft(context, overview)
  const rows = await Promise.all(
    stored.payments.map((payment) => rowOf(context, overview.assetId, payment)),
  )
  const table = rows.length === 0 ? '' : `\n\n${rowsTable(HEAD, rows, output.width)}`
  output.result(
    shown,
    () =>
      fieldsTable([
        ['balance', name],
        ['status', STATUS[overview.status]],
        ['left', left],
        ["node's problem", overview.problem ?? undefined],
        ['ends', isOver || overview.endsAt === null ? undefined : showEnd(overview.endsAt)],
        ['rest at the end', isOver ? undefined : showReturn(facts.isReturned, name)],
        ['returns to', isOver ? undefined : overview.returnsTo],
        ['live payment', overview.live === null ? undefined : showLive(overview.live)],
        [
          'privacy',
          quiet === undefined
            ? undefined
            : `before ${isoOfSeconds(quiet.at)}, the time of a payment points to the top-up`,
        ],
        ['secret in', shown.file],
        ['ticket in', shown.ticket],
      ]) + table,
  )
}

const STATUS: Readonly<Record<Overview['status'], string>> = {
  opening: 'the deposit is not finished: sotto balance open',
  unpaid:
    'its top-up was never paid, and can’t be paid any more: make another top-up with sotto balance open',
  open: 'open',
  paying: 'open; the rest can be paid out once the payment in progress has ended',
  closed:
    'closed: the rest was paid to the wallet, except for a residue, which was given up. The service never returns it. Don’t fetch it with the ticket: everyone would then see the exact sum of the payments',
  empty: 'empty: everything was paid out',
  ended: 'ended: only the wallet can get the rest now',
  unknown:
    'unknown: the balance could not be read from the node, so the amount is the last amount that this machine has stored',
}

function showLive({ isSigned, recipient, validUntil, trackingId }: LivePayment): string {
  if (!isSigned) return `to ${recipient}: begun, and not signed`
  return `to ${recipient}: signed; it lands by ${validUntil} or never (${trackingId})`
}

const DAY_MS = 86_400_000

function showEnd(endsAt: string): string {
  const leftMs = Date.parse(endsAt) - nowMs()
  if (leftMs <= 0) return endsAt
  const days = Math.floor(leftMs / DAY_MS)
  return `${endsAt}, in ${days === 0 ? 'less than a day' : `${days} days`}`
}

async function rowOf(
  context: CliContext,
  assetId: string,
  payment: StoredPayment,
): Promise<string[]> {
  const { request } = payment
  const key = labelOf(payment)
  if (payment.step !== 'paid') return [key, request.to, payment.step, '', '']
  const { payout, fee, trackingId } = payment.paid
  const coins = (units: string) => showLeft(context, { assetId, left: amount(BigInt(units)) })
  return [key, request.to, await coins(payout), await coins(fee), trackingId]
}
