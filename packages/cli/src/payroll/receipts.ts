import { makePrivateFolder } from '@sotto/sdk/node'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { readIfThere } from '../settings/owned-file.ts'

/** What became of a line. Amounts are whole coins, as in the list. */
export interface Receipt {
  readonly list: string
  /** The payment's number in the list, from 1. */
  readonly payment: number
  /** Its line in the file. */
  readonly line: number
  readonly reference: string
  readonly recipient: string
  readonly amount: string
  readonly asset: string
  readonly status: 'paid' | 'refused'
  readonly balance: string
  readonly fee: string | null
  readonly trackingId: string | null
  /** The transaction; null if it was refused, or if the node no longer has it. */
  readonly signature: string | null
  /** Why the service refuses the line; null if it was paid. */
  readonly code: string | null
  /** When the receipt was written, by this machine's clock. */
  readonly at: string
}

/** A file with one receipt a line, to which is only added. */
export interface Receipts {
  readonly path: string
  /** The numbers of the payments that have a receipt of having been made. */
  readonly paid: ReadonlySet<number>
  /** Returns once the receipt is on the disk. */
  readonly add: (receipt: Receipt) => void
  readonly close: () => void
}

/** Opens the receipts of a list; only their owner may read a new file. A receipt that a crash cut off is ignored. */
export async function openReceipts(path: string): Promise<Receipts> {
  await makePrivateFolder(dirname(path))
  const text = (await readIfThere(path)) ?? ''
  const paid = new Set<number>()
  for (const row of text.split('\n')) {
    const receipt = receiptIn(row)
    if (receipt?.status === 'paid') paid.add(receipt.payment)
  }
  const file = openSync(path, 'a', 0o600)
  if (text !== '' && !text.endsWith('\n')) writeSync(file, '\n')
  return {
    path,
    paid,
    add: (receipt) => {
      writeSync(file, `${JSON.stringify(receipt)}\n`)
      fsyncSync(file)
      if (receipt.status === 'paid') paid.add(receipt.payment)
    },
    close: () => closeSync(file),
  }
}

function receiptIn(row: string): Receipt | undefined {
  try {
    return JSON.parse(row) as Receipt
  } catch {
    // Cut off by a crash, or empty.
    return undefined
  }
}
