import type { StoredPayment } from '@sotto/sdk/balance'
import { readdir } from 'node:fs/promises'
import { againOptions } from '../balances/again.ts'
import { balanceStore } from '../balances/balance-files.ts'
import { ownKeyOf } from '../balances/payment-names.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Accepted } from './doubts.ts'
import {
  keyOfLine,
  payrollFolder,
  readRecord,
  receiptsFile,
  type ListRecord,
} from './list-record.ts'
import type { ListLine } from './read-list.ts'
import { paidReceipts } from './receipts.ts'

const RECORD = '.json'

/**
 * Refuses a new list if another list was begun, isn't completely paid, and has a line with the same recipient and
 * amount. Most likely the new file is a corrected copy of the other list's file. Then the new list would pay lines
 * again that were paid or may still be paid. A person accepts this with `--again list:<id>`.
 * @throws CliError LIST_OVERLAPS.
 */
export async function assertNoOverlap(
  home: string,
  id: string,
  lines: readonly ListLine[],
  assetId: string,
  accepted: Accepted,
): Promise<void> {
  const files = await readdir(payrollFolder(home)).catch(() => [])
  const ids = files
    .filter((name) => name.endsWith(RECORD))
    .map((name) => name.slice(0, -RECORD.length))
  const overlaps: { readonly value: string; readonly message: string }[] = []
  for (const other of ids.filter((one) => one !== id).sort()) {
    const record = await readRecord(home, other)
    if (record === undefined || record.assetId !== assetId) continue
    const { paid, signed } = await begunLines(home, other, record)
    const begun = new Set([...paid, ...signed])
    if (begun.size === 0 || paid.size === record.lines.length) continue
    const message = sameLines(other, record, begun, lines)
    if (message !== undefined) overlaps.push({ value: `list:${other}`, message })
  }
  const open = overlaps.filter(({ value }) => !accepted.includes(value))
  if (open.length === 0) return
  const next =
    'remove paid and signed lines from this file, and pay the other lines from only one list; after that, or if ' +
    `these are other payments, add ${againOptions(overlaps.map(({ value }) => value))}`
  const message = open.map((one) => one.message).join('; ')
  throw new CliError(EXIT.refused, 'LIST_OVERLAPS', message, next)
}

interface BegunLines {
  /** The numbers, from 0, of the lines that are paid according to the list's receipts or to the balances' stores. */
  readonly paid: ReadonlySet<number>
  /**
   * The numbers of the lines that a balance has signed. They may still be paid, even if a node has shown that they
   * can't, because the node may be wrong.
   */
  readonly signed: ReadonlySet<number>
}

async function begunLines(home: string, id: string, record: ListRecord): Promise<BegunLines> {
  const { storedBalance } = await import('@sotto/sdk/balance')
  const [paid, signed] = [new Set<number>(), new Set<number>()]
  for (const payment of (await paidReceipts(receiptsFile(home, id), id)).keys())
    paid.add(payment - 1)
  for (const name of new Set(record.from)) {
    // The balance may be gone, or of another version. The receipts still show which lines it paid.
    const stored = await storedBalance(balanceStore(home, name)).catch(() => undefined)
    const { payments = [], lapsed = [] } = stored ?? {}
    const keysAt = (step: StoredPayment['step']) =>
      payments.filter((one) => one.step === step).map(ownKeyOf)
    const [made, open] = [new Set(keysAt('paid')), new Set([...keysAt('signed'), ...lapsed])]
    for (const index of record.lines.keys()) {
      const key = keyOfLine(id, index)
      if (made.has(key)) paid.add(index)
      if (open.has(key)) signed.add(index)
    }
  }
  return { paid, signed }
}

/** Describes the lines that make the same payment as a line of the other list; undefined if there are none. */
function sameLines(
  other: string,
  record: ListRecord,
  begun: ReadonlySet<number>,
  lines: readonly ListLine[],
): string | undefined {
  const like = (isBegun: boolean) => {
    const payments = record.lines.filter((_line, index) => begun.has(index) === isBegun)
    const known = new Set(payments.map(({ recipient, amount }) => `${recipient} ${amount}`))
    const same = lines.filter(({ recipient, amount }) => known.has(`${recipient} ${amount}`))
    return same.map(({ line }) => `line ${line}`).join(', ')
  }
  const [made, open] = [like(true), like(false)]
  const parts = [
    made === '' ? [] : [`the list "${other}" has paid or signed the same payments as ${made}`],
    open === '' ? [] : [`the list "${other}" must still make the same payments as ${open}`],
  ].flat()
  return parts.length === 0 ? undefined : parts.join('; ')
}
