import { indexedBalance, restoreBalance, shownNoteIn, type ShownNote } from '@sotto/sdk/balance'
import type { Problem } from '../problems.ts'
import type { PageConfig } from '../service.ts'
import { balanceOptions } from './balance-options.ts'
import { explainBalance } from './balance-problems.ts'
import { trackingIdOf } from './order-names.ts'
import { listBalances } from './own-balances.ts'

export type Restored =
  | { readonly kind: 'restored'; readonly name: string }
  /** This browser has the balance already, and its top-up isn't finished. */
  | { readonly kind: 'unfinished'; readonly name: string }
  | { readonly kind: 'failed'; readonly problem: Problem }

/** Maximum size of a file in bytes. A file with one ticket is smaller. */
const FILE_BYTES_MAX = 4_096

const NOT_A_FILE: Problem = {
  title: 'This file is not the file of a balance',
  text: 'It was read in this browser only, and sent nowhere.',
  nextStep:
    'Choose the file whose name starts with sotto-balance. It has one line, which starts with sotto2_.',
  canRetry: false,
}

/**
 * Restores the balance from a file into this browser, with the value that the chain shows. The file's secret is never
 * sent anywhere. If this browser already has the balance, nothing changes, and its record of payments stays.
 */
export async function restoreFile(config: PageConfig, file: Blob): Promise<Restored> {
  try {
    const note = await noteIn(file)
    if (note === undefined) return { kind: 'failed', problem: NOT_A_FILE }
    const known = await knownOf(note)
    if (known !== undefined) return known
    await restoreBalance({
      ...balanceOptions(config, () => undefined),
      ...{ ticket: note.ticket, store: indexedBalance(note.orderId), approve: () => false },
    })
    return { kind: 'restored', name: note.orderId }
  } catch (error) {
    return { kind: 'failed', problem: explainBalance(error) }
  }
}

async function noteIn(file: Blob): Promise<ShownNote | undefined> {
  if (file.size > FILE_BYTES_MAX) return undefined
  const text = (await file.text()).trim()
  try {
    return shownNoteIn(text)
  } catch {
    return undefined
  }
}

/** The balance of the same order, if this browser has it. The list would show a second record as a second balance. */
async function knownOf({ orderId }: ShownNote): Promise<Restored | undefined> {
  const trackingId = trackingIdOf(orderId)
  for (const { name, stored } of await listBalances()) {
    if (stored?.note?.orderId === orderId) return { kind: 'restored', name }
    const topUp = stored?.topUp
    const ordered = topUp !== undefined && 'order' in topUp ? topUp.order.trackingId : undefined
    if (ordered === trackingId) return { kind: 'unfinished', name }
  }
  return undefined
}
