import { takeOut } from '@sotto/protocol'
import {
  againOptions,
  againValues,
  signatureNamed,
  transactionName,
  type Again,
} from '../balances/again.ts'
import { describeUnrecorded, findUnrecorded } from '../balances/unrecorded.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { restoredBalance, requestOf } from './balance-marks.ts'
import type { ListRecord } from './list-record.ts'
import type { PreparedLine } from './prepare-list.ts'
import { paidReceipts } from './receipts.ts'

/** A reason why an unpaid line may have been paid after all. */
export interface Doubt {
  readonly code: 'PAID_BEFORE' | 'LINE_UNCERTAIN'
  readonly message: string
  /** The value of `--again` that a person gives to pay the line anyway, after checking this reason. */
  readonly value: string
}

/** The values of `--again` that a person has given for a list. Each stands for one payment. */
export type Accepted = readonly string[]

/**
 * `<line>:<proof>` accepts a doubt about a line. The proof is a transaction, a tracking id, or `restored`.
 * `list:<id>` accepts that the list pays lines of another list.
 */
const FORM = /^(?:\d+:[\w-]+|list:[\w.-]+)$/

/** @throws CliError for a bare `--again`, or for a value of another form. */
export const acceptedIn = (again: Again | undefined): Accepted => againValues(again, FORM)

const valueFor = ({ line }: PreparedLine, proof: string): string => `${line}:${proof}`

/** The signatures of the transactions that a person has checked for a line. */
export const checkedFor = (line: PreparedLine, accepted: Accepted): (string | null)[] =>
  accepted
    .filter((value) => value.startsWith(valueFor(line, '')))
    .map((value) => signatureNamed(value.slice(valueFor(line, '').length)))

const isUnpaid = ({ paid }: PreparedLine): boolean => paid === undefined

/**
 * Doubts about unpaid lines that a receipt calls paid. The record of such a payment is lost if the balance was restored
 * from a ticket or from an older copy of its file.
 * @param files the files of receipts to read.
 */
export async function doubtsByReceipts(
  id: string,
  lines: readonly PreparedLine[],
  files: readonly string[],
): Promise<Doubt[]> {
  const read = await Promise.all(files.map((path) => paidReceipts(path, id)))
  return lines.filter(isUnpaid).flatMap((line) =>
    read.flatMap((receipts): Doubt[] => {
      const receipt = receipts.get(line.payment)
      if (receipt === undefined) return []
      const proof = receipt.signature ?? receipt.trackingId ?? transactionName(null)
      const message = `a receipt says that line ${line.line} was paid (${proof}), but no balance has a record of it`
      return [{ code: 'PAID_BEFORE', message, value: valueFor(line, proof) }]
    }),
  )
}

/**
 * Doubts about unpaid lines whose balance was restored after the list was begun: it may lack the record of a payment.
 */
export async function doubtsByRestoring(
  home: string,
  id: string,
  record: ListRecord | undefined,
  lines: readonly PreparedLine[],
): Promise<Doubt[]> {
  const doubts: Doubt[] = []
  for (const [index, line] of lines.entries()) {
    const name = isUnpaid(line) ? await restoredBalance(home, id, record, index) : undefined
    if (name === undefined) continue
    const message =
      `the balance "${name}" was restored since this list was begun, ` +
      `so nothing shows whether line ${line.line} was paid`
    doubts.push({ code: 'LINE_UNCERTAIN', message, value: valueFor(line, 'restored') })
  }
  return doubts
}

/**
 * Doubts about unpaid lines for which the chain shows an equal payment that no balance has a record of. The record is
 * missing if all files were restored from older copies, or if another holder of a balance's secret paid.
 */
export async function doubtsByChain(
  home: string,
  names: readonly string[],
  lines: readonly PreparedLine[],
): Promise<Doubt[]> {
  const doubts = lines.filter(isUnpaid).map(async (line) => {
    const found = await findUnrecorded(home, names, requestOf(line))
    return found.map((one): Doubt => {
      const message = `line ${line.line} may have been paid: ${describeUnrecorded(one)}`
      return {
        code: 'LINE_UNCERTAIN',
        message,
        value: valueFor(line, transactionName(one.signature)),
      }
    })
  })
  return (await Promise.all(doubts)).flat()
}

/**
 * Refuses a list unless a person has accepted every doubt. The error names every doubt, and the values that accept
 * them.
 * @throws CliError PAID_BEFORE, LINE_UNCERTAIN.
 */
export function assertAccepted(doubts: readonly Doubt[], accepted: Accepted): void {
  const unused = [...accepted]
  const open = doubts.filter(({ code, value }) =>
    code === 'PAID_BEFORE' ? !accepted.includes(value) : !takeOut(unused, value),
  )
  if (open.length === 0) return
  const code = open.find((one) => one.code === 'PAID_BEFORE')?.code ?? 'LINE_UNCERTAIN'
  const messages = [...new Set(open.map(({ message }) => message))]
  const uncertain = valuesOf(doubts, 'LINE_UNCERTAIN')
  // The chain may show the payment that a receipt names. Then one value accepts both doubts.
  const byReceipt = new Set(valuesOf(doubts, 'PAID_BEFORE'))
  const values = [...[...byReceipt].filter((value) => !uncertain.includes(value)), ...uncertain]
  const next =
    'compare these lines with the chain; pay the unpaid lines from a separate file, or, to pay all these lines ' +
    `once more, add ${againOptions(values)}`
  throw new CliError(EXIT.refused, code, messages.join('; '), next)
}

const valuesOf = (doubts: readonly Doubt[], code: Doubt['code']): string[] =>
  doubts.filter((one) => one.code === code).map(({ value }) => value)
