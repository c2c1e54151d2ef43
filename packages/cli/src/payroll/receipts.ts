import { makePrivateFolder } from '@sotto/sdk/node'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { append } from '../settings/append.ts'
import { readIfThere } from '../settings/owned-file.ts'

/** The result of a line. Amounts are in whole coins, as in the list. */
export interface Receipt {
  readonly list: string
  /** The payment's number in the list, from 1. */
  readonly payment: number
  /** The payment's line in the file. */
  readonly line: number
  readonly reference: string
  readonly recipient: string
  readonly amount: string
  readonly asset: string
  readonly status: 'paid' | 'refused'
  readonly balance: string
  readonly fee: string | null
  readonly trackingId: string | null
  /**
   * The transaction's signature; null if the line was refused, or if the node doesn't have the transaction any more.
   */
  readonly signature: string | null
  /** The code of the service's refusal; null if the line was paid. */
  readonly code: string | null
  /** The time at which the receipt was written, by this machine's clock. */
  readonly at: string
}

/** A file with one receipt per line. Receipts are only appended. */
export interface Receipts {
  readonly path: string
  /** The numbers of the payments that were made according to a receipt. */
  readonly paid: ReadonlySet<number>
  /** Returns once the receipt is on the disk. @throws CliError `RECEIPT_FAILED` if it can't be written. */
  readonly add: (receipt: Receipt) => void
  readonly close: () => void
}

/**
 * Opens the receipts of a list. The file may also have receipts of other lists. If the file is new, only its owner may
 * read it. An incomplete receipt after a crash is ignored.
 */
export async function openReceipts(path: string, list: string): Promise<Receipts> {
  await makePrivateFolder(dirname(path))
  const text = (await readIfThere(path)) ?? ''
  const paid = new Set(paidIn(text, list).keys())
  const file = openSync(path, 'a', 0o600)
  if (text !== '' && !text.endsWith('\n')) append(file, '\n')
  return {
    path,
    paid,
    add: (receipt) => {
      try {
        append(file, `${JSON.stringify(receipt)}\n`)
      } catch (cause) {
        throw receiptFailed(path, receipt, cause)
      }
      if (receipt.status === 'paid') paid.add(receipt.payment)
    },
    close: () => closeSync(file),
  }
}

function receiptFailed(path: string, { line, status }: Receipt, cause: unknown): CliError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `line ${line} was ${status}, but its receipt could not be written to ${path}: ${why}`
  const next =
    'make the file writable and free disk space, then repeat the command: no line is paid twice'
  return new CliError(EXIT.failure, 'RECEIPT_FAILED', message, next, { cause })
}

/**
 * Returns the receipts that this file has for the list's completed payments. The map's keys are the numbers of the
 * payments.
 */
export async function paidReceipts(path: string, list: string): Promise<Map<number, Receipt>> {
  return paidIn((await readIfThere(path)) ?? '', list)
}

function paidIn(text: string, list: string): Map<number, Receipt> {
  const rows = text.split('\n').map(receiptIn)
  const paid = rows.flatMap((one) => (one?.status === 'paid' && one.list === list ? [one] : []))
  return new Map(paid.map((one) => [one.payment, one]))
}

function receiptIn(row: string): Receipt | undefined {
  try {
    return JSON.parse(row) as Receipt
  } catch {
    // The line is empty, or a crash cut it off.
    return undefined
  }
}
