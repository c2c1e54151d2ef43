import { decodeTicket, ownerOf } from '@sotto/protocol'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readIfThere } from '../settings/owned-file.ts'
import { balanceTicketFile } from './balance-files.ts'

/**
 * Checks that the ticket file of this name doesn't exist, or contains this balance's own ticket. Any other content may
 * be the only copy of another balance's secret, and the command would overwrite it.
 *
 * @param ticket the ticket of the balance that gets the name; undefined for a new balance.
 * @throws CliError TICKET_EXISTS.
 */
export async function assertNoOtherTicket(
  home: string,
  name: string,
  ticket: string | undefined,
): Promise<void> {
  const file = balanceTicketFile(home, name)
  const found = await readIfThere(file)
  if (found === undefined) return
  const kept = balanceOf(found.trim())
  if (kept !== undefined && ticket !== undefined && kept === balanceOf(ticket)) return
  const message = `${file} exists and may be the only copy of another balance's secret`
  const next = `choose another name; or, if the file holds a ticket, restore its balance with: sotto balance restore ${name} ${file}`
  throw new CliError(EXIT.usage, 'TICKET_EXISTS', message, next)
}

/** The ids of program and order, which all tickets of a balance share; undefined for a text that isn't a ticket. */
export function balanceOf(text: string): string | undefined {
  try {
    const { program, orderId } = decodeTicket(text, ownerOf)
    return `${program} ${orderId.join(' ')}`
  } catch {
    return undefined
  }
}
