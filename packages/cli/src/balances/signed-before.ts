import { encodeTicket, type Ticket } from '@sotto/protocol'
import { readChainClock } from '@sotto/recovery'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { balanceStore, listBalances } from './balance-files.ts'
import { balanceOf } from './kept-ticket.ts'

/** The names of this machine's balances to which the ticket belongs. */
export async function storesOf(home: string, ticket: Ticket): Promise<string[]> {
  const wanted = balanceOf(encodeTicket(ticket))
  const names: string[] = []
  for (const name of await listBalances(home)) {
    // A store that can't be read must not prevent the recovery of its balance.
    const stored = await storedIn(home, name).catch(() => undefined)
    const known = stored?.ticket ?? undefined
    if (known !== undefined && balanceOf(known) === wanted) names.push(name)
  }
  return names
}

/**
 * Refuses a payment by recovery while one of these balances has a signed payment that may still land. If the signed
 * payment is the requested one, recovery would make it a second time, out of the next note. @throws CliError
 * PAYMENT_MAY_LAND.
 */
export async function assertNoneMayLand(
  context: CliContext,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const stored = await storedIn(context.settings.home, name)
    for (const payment of stored?.payments ?? []) {
      if (payment.step !== 'signed') continue
      const untilMs = Date.parse(payment.validUntil)
      const clock = await readChainClock(await context.rpc(context.signal))
      if (clock * 1_000n > BigInt(untilMs)) continue
      const until = new Date(untilMs).toISOString()
      const message = `the balance "${name}" has signed a payment, which may still land until ${until}`
      const next =
        'wait until after that time, and repeat the command: it finds the payment on the chain if it landed'
      throw new CliError(EXIT.unavailable, 'PAYMENT_MAY_LAND', message, next)
    }
  }
}

async function storedIn(home: string, name: string) {
  const { storedBalance } = await import('@sotto/sdk/balance')
  return storedBalance(balanceStore(home, name))
}
