import { showCoins, assetOnChain } from '../../balances/balance-asset.ts'
import { saveFacts } from '../../balances/balance-facts.ts'
import {
  balanceFile,
  balanceStore,
  balanceTicketFile,
  usingBalances,
} from '../../balances/balance-files.ts'
import { assertNoOtherTicket } from '../../balances/kept-ticket.ts'
import { serviceOf } from '../../balances/service-of.ts'
import type { CliContext } from '../../context.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import { fieldsTable } from '../../output/table.ts'
import { readTicketText } from '../../recover/read-ticket.ts'

const WARNING =
  'A ticket restores the money, but not the record of payments. If you repeat a payroll\n' +
  'list that this balance has paid, its lines are paid again, unless the receipts are on\n' +
  'this machine. So first compare the list with the chain.'

/** `balance restore`: restores a balance from any of its tickets and the data on the chain. */
export async function runBalanceRestore(
  context: CliContext,
  name: string,
  ticketName: string,
): Promise<void> {
  const { output, settings, signal } = context
  const { home, programId, isLocalChain } = settings
  const ticket = await readTicketText(ticketName, home)
  await usingBalances(home, [name], async () => {
    const { restoreBalance } = await import('@sotto/sdk/balance')
    const { writePrivateFile } = await import('@sotto/sdk/node')
    await assertNoOtherTicket(home, name, ticket)
    output.progress.doing('following the balance on the chain')
    const balance = await restoreBalance({
      ...{ store: balanceStore(home, name), ticket, programId, signal, isLocalChain },
      ...{ service: serviceOf(context), rpc: await context.rpc(), approve: () => false },
    })
    await saveFacts(home, name, { isReturned: null, days: null })
    await writePrivateFile(balanceTicketFile(home, name), `${balance.ticket}\n`)
    const { status, value, assetId, senderAddress, endsAt } = await balance.state()
    const asset = await assetOnChain(context, assetId)
    const shown = {
      ...{ kind: 'restored', balance: name, status, value, assetId, senderAddress },
      ...{ endsAt: isoOfSeconds(endsAt), file: balanceFile(home, name) },
    }
    output.note(WARNING)
    output.result(shown, () =>
      fieldsTable([
        ['balance', name],
        ['left', showCoins(value, asset)],
        ['ends', shown.endsAt],
        ['returns to', senderAddress],
        ['secret in', shown.file],
      ]),
    )
  })
}
