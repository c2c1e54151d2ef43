import { readFile, rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceFile, balanceTicketFile } from '../src/balances/balance-files.ts'
import { runBalanceOpen } from '../src/commands/balance/open.ts'
import { runBalanceRestore } from '../src/commands/balance/restore.ts'
import { PayingMachine } from './paying-machine.ts'

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

/** Opens a balance and deletes its file, so that only the file of its ticket is left. */
async function onlyTicket(name: string) {
  const ticket = await machine.open(name, 1_000_000_000n)
  const file = balanceTicketFile(machine.home, name)
  await writeFile(file, `${ticket}\n`)
  await rm(balanceFile(machine.home, name))
  return { ticket, file }
}

const refused = { code: 'TICKET_EXISTS' }

it('does not overwrite the only ticket of a lost balance', async () => {
  const { file, ticket } = await onlyTicket('lost')
  const other = await onlyTicket('other')
  const { context } = machine.contextOf()
  await expect(runBalanceRestore(context, 'lost', other.file)).rejects.toMatchObject(refused)
  const options = { yes: true, days: 30, return: true, interval: 1 }
  const opened = runBalanceOpen(context, 'lost', { amount: '1', asset: 'SOL' }, options)
  await expect(opened).rejects.toMatchObject(refused)
  expect(await readFile(file, 'utf8')).toBe(`${ticket}\n`)
  await expect(readFile(balanceFile(machine.home, 'lost'))).rejects.toMatchObject({
    code: 'ENOENT',
  })
})

it('restores a lost balance under its name from its own ticket', async () => {
  const { file } = await onlyTicket('own')
  const { context, results } = machine.contextOf()
  await runBalanceRestore(context, 'own', file)
  expect(results).toMatchObject([{ status: 'open', value: 1_000_000_000n }])
})

it('does not overwrite a damaged ticket', async () => {
  const { file } = await onlyTicket('damaged')
  const other = await onlyTicket('whole')
  await writeFile(file, 'sotto2_damaged')
  const { context } = machine.contextOf()
  await expect(runBalanceRestore(context, 'damaged', other.file)).rejects.toMatchObject(refused)
  expect(await readFile(file, 'utf8')).toBe('sotto2_damaged')
})
