import { decodeTicket, ownerOf, type Ticket } from '@sotto/protocol'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readIfThere } from '../settings/owned-file.ts'
import { ticketFile } from '../transfers/ticket-files.ts'

/**
 * Reads a ticket from one of these sources: a file, standard input (`-`), the tracking id of a ticket that is stored
 * on this machine, or the name of a balance. The ticket's text is never an argument, because it is secret. The file
 * may also contain an order's response or an unfinished transfer's state, both in JSON. @throws CliError.
 */
export async function readTicket(name: string, home: string): Promise<Ticket> {
  return decodeTicket(await readTicketText(name, home), ownerOf)
}

/** The ticket's text, after it was decoded as a check. @throws CliError. */
export async function readTicketText(name: string, home: string): Promise<string> {
  const text = await readText(name, home)
  try {
    const ticket = ticketIn(text).trim()
    decodeTicket(ticket, ownerOf)
    return ticket
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : 'the ticket is invalid'
    const next = 'give the complete text of "recovery" from the order'
    throw new CliError(EXIT.usage, 'TICKET_INVALID', message, next, { cause })
  }
}

async function readText(name: string, home: string): Promise<string> {
  if (name === '-') return readAll(process.stdin)
  // Check this before the text is used as a file name. Otherwise an error message would repeat the ticket on a terminal
  // or in a log.
  if (TICKET.test(name)) throw missing('the ticket itself must not be an argument')
  const text = await readIfThere(name)
  if (text !== undefined) return text
  const isId = /^[A-Za-z0-9_-]{1,64}$/.test(name)
  const files = isId ? [ticketFile(home, name), join(home, 'balances', `${name}.ticket`)] : []
  for (const file of files) {
    const found = await readIfThere(file)
    if (found !== undefined) return found
  }
  throw missing(`there is no ticket at ${name}`)
}

/** Matches a text that contains a ticket or a great part of one. The path of a ticket's file may contain `sotto2_` too. */
const TICKET = /sotto2_[A-Za-z0-9_-]{48}/

const missing = (message: string): CliError =>
  new CliError(
    EXIT.usage,
    'TICKET_MISSING',
    message,
    'give the ticket’s file, a tracking id of "sotto send", the name of a balance, or - for standard input',
  )

function ticketIn(text: string): string {
  if (!text.trimStart().startsWith('{')) return text
  const value = valueIn(text) as { recovery?: unknown; order?: { recovery?: unknown } }
  const found = value.recovery ?? value.order?.recovery
  if (typeof found !== 'string') throw new Error('the file holds no recovery ticket')
  return found
}

/** The value of a JSON text. The error of `JSON.parse` is not shown, because it quotes a part of the secret text. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('the file is not valid JSON')
  }
}
