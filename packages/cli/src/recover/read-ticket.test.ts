import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { CliError } from '../cli-error.ts'
import { readTicket } from './read-ticket.ts'

it('does not show a ticket that was given as an argument', async () => {
  // A text as long as the encoding of 207 bytes. It is longer than any allowed file name.
  const ticket = `sotto2_${'A'.repeat(276)}`
  for (const given of [ticket, ` ${ticket}`, `{"recovery":"${ticket}"}`]) {
    const error = await readTicket(given, '/none').catch((thrown: unknown) => thrown as CliError)
    expect(error).toMatchObject({ code: 'TICKET_MISSING', exitCode: 2 })
    expect(JSON.stringify({ ...(error as CliError), text: `${error}` })).not.toContain('AAAA')
  }
})

it('does not show a part of a ticket from a file that is not valid JSON', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sotto-ticket-')), 'order.json')
  await writeFile(file, `{"recovery": sotto2_${'A'.repeat(276)}}`)
  const error = await readTicket(file, '/none').catch((thrown: unknown) => thrown as CliError)
  expect(error).toMatchObject({ code: 'TICKET_INVALID', message: 'the file is not valid JSON' })
  await rm(dirname(file), { recursive: true })
})

it('reads a file whose path contains the beginning of a ticket', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'sotto2_tickets-')), 'sotto2_march.txt')
  await writeFile(file, 'not a ticket')
  const error = await readTicket(file, '/none').catch((thrown: unknown) => thrown as CliError)
  expect(error).toMatchObject({ code: 'TICKET_INVALID' })
  await rm(dirname(file), { recursive: true })
})
