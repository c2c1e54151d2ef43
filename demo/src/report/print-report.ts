import colors from 'picocolors'
import Table from 'cli-table3'
import type { Settlement } from '../ledger.ts'
import { areExact, type EndBooks } from './books.ts'
import type { Cost } from './costs.ts'
import type { Observation } from './observer.ts'

export interface Report {
  readonly ok: boolean
  readonly seconds: number
  readonly wallets: readonly Settlement[]
  readonly books: readonly EndBooks[]
  readonly observer: readonly Observation[]
  readonly costs: readonly Cost[]
  /** Scenes that were not played, each with its reason. */
  readonly skipped: readonly Skipped[]
}

export interface Skipped {
  readonly scene: string
  readonly reason: string
}

const signed = (value: bigint) => (value > 0n ? `+${value}` : String(value))
const right = (content: unknown) => ({ content: String(content), hAlign: 'right' as const })

/** Creates a table without lines between the rows, and without colours if the terminal supports none. */
const tableOf = (head: string[]) =>
  new Table({
    head,
    style: { head: colors.isColorSupported ? ['bold'] : [], border: [], compact: true },
  })

function walletTable(wallets: readonly Settlement[]): string {
  const table = tableOf(['wallet', 'asset', 'expected', 'actual', 'made of', ''])
  for (const { wallet, asset, expected, actual, reasons } of wallets) {
    const verdict = expected === actual ? colors.green('exact') : colors.red('WRONG')
    const why = [...new Set(reasons)].join(', ')
    table.push([wallet, asset, right(signed(expected)), right(signed(actual)), why, verdict])
  }
  return table.toString()
}

function booksTable(all: readonly EndBooks[]): string {
  const table = tableOf(['asset', 'vault', 'owed', 'fees', 'inventory', ''])
  for (const books of all) {
    const { asset, vault, owed, fees, inventory } = books
    const verdict = areExact(books) ? colors.green('exact') : colors.red('WRONG')
    table.push([asset, right(vault), right(owed), right(fees), right(inventory), verdict])
  }
  return table.toString()
}

function observerTable(observations: readonly Observation[]): string {
  const head = ['settlement', 'amount', 'effective set', 'chance given to the wallet that paid']
  const table = tableOf(head)
  for (const { settlement, amount, effectiveSet, chanceOfTruth } of observations) {
    const chance = `${Math.round(chanceOfTruth * 100)} %`
    table.push([settlement, right(amount), right(effectiveSet.toFixed(1)), right(chance)])
  }
  return table.toString()
}

function costTable(all: readonly Cost[]): string {
  const head = ['transfer', 'deposit', 'settle', "recipient's account", 'total lamports']
  const table = tableOf(head)
  for (const { transfer, deposit, settle, recipientAccount, total } of all) {
    table.push([transfer, right(deposit), right(settle), right(recipientAccount), right(total)])
  }
  return table.toString()
}

const OBSERVED = `Amounts and times are public. An effective set of 1 means that an observer links the payment to its
deposit. This is usual here, because few wallets use the pool, one after the other. docs/privacy.md measures a pool in
use. A refund names its sender.`

/** Prints the final tables. */
export function printReport(report: Report, stream: NodeJS.WriteStream): void {
  const write = (text: string) => stream.write(`${text}\n`)
  write(`\n${colors.bold('Who paid and got what, in base units')}`)
  write(walletTable(report.wallets))
  write(booksTable(report.books))
  write(`\n${colors.bold('What a public observer sees')}`)
  write(observerTable(report.observer))
  write(OBSERVED)
  write(`\n${colors.bold('Cost on the chain, without the rent that was returned')}`)
  write(costTable(report.costs))
  for (const { scene, reason } of report.skipped) write(`\nSkipped: ${scene}. ${reason}`)
  const verdict = report.ok
    ? colors.green('Every balance is exact.')
    : colors.red('A balance is wrong: see WRONG above.')
  write(`\n${verdict} ${report.seconds} s`)
}
