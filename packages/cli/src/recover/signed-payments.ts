import type { Address, Amount } from '@sotto/protocol'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { append } from '../settings/append.ts'
import { readIfThere } from '../settings/owned-file.ts'

/** A payment that a command asks for. */
interface Wanted {
  readonly payee: Address
  readonly payout: Amount
}

/** A payment that `recover pay` has signed, as a line of the file. */
interface Signed {
  readonly payee: Address
  /** Base units, as a string of digits. */
  readonly payout: string
  /** The Nullifier account of the note that the payment spends. */
  readonly nullifier: Address
}

const fileOf = (home: string): string => join(home, 'recover', 'signed-payments.jsonl')

/**
 * The Nullifier accounts of the notes with which earlier commands have signed this payment. If one of these notes is
 * spent, most likely this payment has spent it, even if a node shows another payee.
 */
export async function triedNotes(home: string, { payee, payout }: Wanted): Promise<Address[]> {
  const lines = ((await readIfThere(fileOf(home))) ?? '').split('\n').flatMap(signedIn)
  const same = lines.filter((one) => one.payee === payee && one.payout === `${payout}`)
  return [...new Set(same.map(({ nullifier }) => nullifier))]
}

/** Keeps a signed payment durably. Call this before the payment is sent. @throws Error if it can't be written. */
export function keepSigned(
  home: string,
  { payee, payout, nullifier }: Wanted & Pick<Signed, 'nullifier'>,
): void {
  const path = fileOf(home)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a', 0o600)
  try {
    // A crash may have cut off the last line, so begin a new one.
    append(file, `\n${JSON.stringify({ payee, payout: `${payout}`, nullifier })}\n`)
  } finally {
    closeSync(file)
  }
}

function signedIn(line: string): Signed[] {
  try {
    return [JSON.parse(line) as Signed]
  } catch {
    // The line is empty, or a crash cut it off.
    return []
  }
}
