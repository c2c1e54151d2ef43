import type { Balance, PaymentRequest } from '@sotto/sdk/balance'
import { LINE_PREFIX } from '../balances/payment-names.ts'
import { readOpened } from '../balances/use-balance.ts'
import { drawId } from '../draw-id.ts'
import { saveRecord, type ListRecord } from './list-record.ts'
import type { PreparedLine } from './prepare-list.ts'

type Marks = readonly (string | null)[]

/** The key under which the stores of the balances hold the mark of a list. No line has this key. */
const markKey = (id: string): string => LINE_PREFIX + id

/** The list's mark in the store of a balance; null if there is none. */
async function markIn(home: string, name: string, id: string): Promise<string | null> {
  return (await readOpened(home, name)).marks.get(markKey(id)) ?? null
}

const marksOf = (record: ListRecord | undefined, name: string): Marks | undefined =>
  record?.marks !== undefined && Object.hasOwn(record.marks, name) ? record.marks[name] : undefined

/**
 * The name of the balance that may have paid this line without a record, because it was restored since the list was
 * begun. Each command that pays the list marks the balances, and writes the marks into the list's record. If a balance
 * lacks its mark, it was restored later, from a ticket or from an older copy.
 */
export async function restoredBalance(
  home: string,
  id: string,
  record: ListRecord | undefined,
  index: number,
): Promise<string | undefined> {
  const name = record?.from[index]
  const accepted = name === undefined ? undefined : marksOf(record, name)
  if (name === undefined || accepted === undefined) return undefined
  return accepted.includes(await markIn(home, name, id)) ? undefined : name
}

/** The payment of a line, as a balance makes it. */
export const requestOf = ({ recipient, amount }: PreparedLine): PaymentRequest => ({
  ...{ to: recipient, amount: `${amount}` },
})

/**
 * Stores the list's record, and marks the balances that it names. Until every balance is marked, the record also
 * accepts the former marks, because no line has been paid under the new marks yet. Call this before any line is paid.
 */
export async function saveMarked(
  home: string,
  id: string,
  record: Omit<ListRecord, 'marks'>,
  named: ReadonlyMap<string, Balance>,
): Promise<void> {
  const marks = await Promise.all(
    [...named].map(async ([name, balance]) => {
      const mark = drawId()
      return { name, balance, mark, former: await markIn(home, name, id) }
    }),
  )
  const both = marks.map(({ name, mark, former }) => [name, [former, mark]] as const)
  await saveRecord(home, id, { ...record, marks: Object.fromEntries(both) })
  for (const { balance, mark } of marks) await balance.mark(markKey(id), mark)
  const newest = marks.map(({ name, mark }) => [name, [mark]] as const)
  await saveRecord(home, id, { ...record, marks: Object.fromEntries(newest) })
}
