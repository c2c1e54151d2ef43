import { FileLockedError, lockFile } from '@sotto/file-lock'
import { makePrivateFolder, writePrivateFile } from '@sotto/sdk/node'
import { basename, extname, join } from 'node:path'
import { LINE_PREFIX } from '../balances/payment-names.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readIfThere } from '../settings/owned-file.ts'
import type { ListLine } from './read-list.ts'

/** The list as it was when its first payment began, and the balance that pays each line. */
export interface ListRecord {
  readonly version: 1
  /** The list's id, exactly as it was given. */
  readonly id?: string
  readonly assetId: string
  readonly lines: readonly { readonly recipient: string; readonly amount: string }[]
  /**
   * For each line, the only balance that may have signed its payment. Before another balance pays the line, the command
   * checks that the recorded balance hasn't paid it.
   */
  readonly from: readonly string[]
  /**
   * For each balance in `from`: the accepted marks. The balance's store must have one of these marks. If null is among
   * them, the store may also have no mark.
   */
  readonly marks?: Readonly<Record<string, readonly (string | null)[]>>
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
export const payrollFolder = (home: string): string => join(home, 'payroll')

/** The id of a list: the value of `--id`, or else the file's name without its extension. @throws CliError. */
export function listId(file: string, id: string | undefined): string {
  const chosen = id ?? basename(file, extname(file))
  if (ID.test(chosen)) return chosen
  const next = 'give --id with letters, digits, ., - and _, at most 64'
  throw new CliError(EXIT.usage, 'LIST_ID_INVALID', `"${chosen}" can't be the id of a list`, next)
}

/**
 * The key for the payment of a line. A balance makes at most one payment for each key. `index` counts the payments of
 * the list from 0.
 */
export const keyOfLine = (id: string, index: number): string => `${LINE_PREFIX}${id} ${index + 1}`

export const receiptsFile = (home: string, id: string): string =>
  join(payrollFolder(home), `${id}.receipts.jsonl`)

const recordFile = (home: string, id: string): string => join(payrollFolder(home), `${id}.json`)

/**
 * The list's record; undefined if no payment of the list has begun. @throws CliError LIST_ID_TAKEN if the record
 * belongs to a list whose id differs only in case. On a disk that ignores case, both lists have the same file. But the
 * keys of their payments differ, so each line would be paid under both ids.
 */
export async function readRecord(home: string, id: string): Promise<ListRecord | undefined> {
  const text = await readIfThere(recordFile(home, id))
  const record = text === undefined ? undefined : (JSON.parse(text) as ListRecord)
  if (record?.id === undefined || record.id === id) return record
  const message = `a list with the id "${record.id}" was begun, and "${id}" differs only in case`
  const next = `continue it with --id ${record.id}; or pay other lines under another --id`
  throw new CliError(EXIT.usage, 'LIST_ID_TAKEN', message, next)
}

/** Stores the record durably. Call this before any line is paid. */
export async function saveRecord(home: string, id: string, record: ListRecord): Promise<void> {
  await writePrivateFile(recordFile(home, id), `${JSON.stringify(record)}\n`)
}

/** @throws CliError that names the first difference between this list and the list that was begun under its id. */
export function assertUnchanged(
  { lines, assetId }: ListRecord,
  list: readonly ListLine[],
  assetIdNow: string,
): void {
  if (assetId !== assetIdNow) throw changed('the list was begun in another asset')
  const lengths = `the list had ${lines.length} payments, and this file has ${list.length}`
  for (const [index, former] of lines.entries()) {
    const now = list[index]
    if (now === undefined) throw changed(lengths)
    if (now.recipient === former.recipient && `${now.amount}` === former.amount) continue
    throw changed(`line ${now.line} pays another recipient or amount than before`)
  }
  if (list.length > lines.length) {
    throw changed(lengths)
  }
}

const changed = (message: string): CliError =>
  new CliError(
    EXIT.usage,
    'LIST_CHANGED',
    `a list with this id was begun before, and this file differs: ${message}`,
    'restore the file to continue the list; or pay its unpaid lines from a file that has no paid line',
  )

/** Runs `work` while holding the list's lock. @throws CliError if another process is paying the list. */
export async function usingList<Result>(
  home: string,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await makePrivateFolder(payrollFolder(home))
  const release = lockList(home, id)
  try {
    return await work()
  } finally {
    release()
  }
}

function lockList(home: string, id: string): () => void {
  try {
    return lockFile(join(payrollFolder(home), `${id}.lock`))
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error
    const message = `another process pays the list "${id}"`
    throw new CliError(EXIT.unavailable, 'LIST_BUSY', message, 'wait until that process ends')
  }
}
