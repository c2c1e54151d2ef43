import type { Balance, PaymentRequest } from '@sotto/sdk/balance'
import { describeUnrecorded, findUnrecorded } from '../balances/unrecorded.ts'
import { LINE_PREFIX } from '../balances/payment-names.ts'
import { readOpened } from '../balances/use-balance.ts'
import { CliError } from '../cli-error.ts'
import { drawId } from '../draw-id.ts'
import { EXIT } from '../exit-codes.ts'
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
 * Refuses a list if one of its unpaid lines may have been paid without a record. Each command that pays the list marks
 * the balances, and writes the marks into the list's record. If a balance lacks its mark, the balance was restored
 * later, from a ticket or from an older copy. So it may also lack the record of a payment. @throws CliError
 * LINE_UNCERTAIN.
 */
export async function assertCertain(
  home: string,
  id: string,
  record: ListRecord | undefined,
  lines: readonly PreparedLine[],
): Promise<void> {
  for (const [index, { paid, line }] of lines.entries()) {
    const name = record?.from[index]
    if (paid !== undefined || name === undefined) continue
    const accepted = marksOf(record, name)
    if (accepted === undefined || accepted.includes(await markIn(home, name, id))) continue
    const message = `the balance "${name}" was restored since this list was begun, so nothing shows whether line ${line} was paid`
    throw uncertain(message)
  }
}

/** The payment of a line, as a balance makes it. */
export const requestOf = ({ recipient, amount }: PreparedLine): PaymentRequest => ({
  ...{ to: recipient, amount: `${amount}` },
})

/**
 * Refuses a list if the chain shows an unrecorded payment that may be one of the list's unpaid lines. The record is
 * missing if all files were restored from older copies, or if another holder of a balance's secret paid. Also refuses a
 * line if another balance signed its payment and dropped it later. If the node lied then, that payment has landed.
 * @throws CliError LINE_UNCERTAIN.
 */
export async function assertRecorded(
  home: string,
  names: readonly string[],
  lines: readonly PreparedLine[],
): Promise<void> {
  const stored = await Promise.all(
    names.map(async (name) => ({ name, lapsed: (await readOpened(home, name)).lapsed })),
  )
  for (const line of lines) {
    if (line.paid !== undefined) continue
    const signer = stored.find(
      ({ name, lapsed }) => name !== line.from && lapsed.includes(line.key),
    )
    if (signer !== undefined) {
      const why = `the balance "${signer.name}" signed its payment and dropped it later`
      throw mayBePaid(line, `${why}; name that balance with --from to pay the line`)
    }
    const found = await findUnrecorded(home, names, requestOf(line))
    if (found === undefined) continue
    throw mayBePaid(line, describeUnrecorded(found))
  }
}

/** The error for a line that may have been paid. */
export const mayBePaid = ({ line }: PreparedLine, why: string): CliError =>
  uncertain(`line ${line} may have been paid: ${why}`)

function uncertain(message: string): CliError {
  const next =
    'compare the list with the chain; then remove paid lines and give another --id, or add --again, which pays every line without a record'
  return new CliError(EXIT.refused, 'LINE_UNCERTAIN', message, next)
}

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
