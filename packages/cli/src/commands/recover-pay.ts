import { encodeTicket, isAddress, type Address, type Ticket } from '@sotto/protocol'
import type { Landing } from '@sotto/recovery'
import { join } from 'node:path'
import { againTransactions, type Again } from '../balances/again.ts'
import { usingBalances } from '../balances/balance-files.ts'
import { assertNoneMayLand, storesOf } from '../balances/signed-before.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { fieldsTable } from '../output/table.ts'
import { checkBeforeAgain } from '../recover/check-before-again.ts'
import { payoutOf, type PayoutOptions } from '../recover/payout.ts'
import { readTicket } from '../recover/read-ticket.ts'
import { keepSigned, triedNotes } from '../recover/signed-payments.ts'
import { limitsOf, trackingIdOf, type SettleOptions } from './recover.ts'

export interface PayOptions extends SettleOptions, PayoutOptions {
  readonly to: string
  /** Equal payments that the balance has already made and that a person has checked. */
  readonly again?: Again
}

/** `recover pay`: makes a payment from a balance with only its ticket, a node and the prover. */
export async function runPay(
  context: CliContext,
  name: string,
  options: PayOptions,
): Promise<void> {
  const { home } = context.settings
  const { to } = options
  const checked = againTransactions(options.again)
  if (!isAddress(to)) {
    const next = 'give the address of a wallet with --to'
    throw new CliError(EXIT.usage, 'ADDRESS_INVALID', `"${to}" is not an address`, next)
  }
  const ticket = await readTicket(name, home)
  const stores = await storesOf(home, ticket)
  await usingBalances(home, stores, async () => {
    await assertNoneMayLand(context, stores)
    await payFrom(context, ticket, { ...options, payee: to, checked })
  })
}

interface Wanted extends PayOptions {
  readonly payee: Address
  readonly checked: readonly (string | null)[]
}

async function payFrom(context: CliContext, ticket: Ticket, options: Wanted): Promise<void> {
  const { output, settings } = context
  const { payee, checked } = options
  const payer = await context.signer()
  const rpc = await context.rpc(context.signal)
  const payout = await payoutOf(context, options, { rpc, mint: ticket.note.mint, payee })
  const [{ landPayment }, { wasmPoseidon: poseidon }, { proveWith }, { finding }, { landingOf }] =
    await Promise.all([
      import('@sotto/recovery'),
      import('@sotto/poseidon'),
      import('../recover/prove.ts'),
      import('../recover/find-note.ts'),
      import('../recover/landing.ts'),
    ])
  const { isLocalChain } = settings
  const limits = { ...limitsOf(options), isLocalChain }
  const tried = await triedNotes(settings.home, { payee, payout })
  const use = { rpc, poseidon, prove: proveWith(output), ticket, tried, ...limits }
  const landing = landingOf(context)
  let isSigned = false
  const watched: Landing = {
    ...landing,
    onStep: (step) => {
      if (step.kind === 'signed') {
        keepSigned(settings.home, { payee, payout, nullifier: step.nullifier })
        isSigned = true
      }
      landing.onStep?.(step)
    },
  }
  const paid = await finding(context, ticket, options, (found) =>
    landPayment({ ...found, ...use, payer, payee, payout, except: checked }, watched),
  ).catch((error: unknown) => {
    throw checked.length > 0 && isSigned ? checkBeforeAgain(error) : error
  })
  const { note } = paid.ticket
  const shown = {
    kind: 'pay',
    trackingId: trackingIdOf(ticket),
    ...{ signature: paid.signature, payee, assetId: note.mint, amount: payout },
    ...{ left: note.value, ticket: await keepRest(settings.home, paid) },
  }
  output.result(shown, () =>
    fieldsTable([
      ['paid to', payee],
      ['asset', note.mint],
      ['amount', options.amount],
      ['amount, base units', `${payout}`],
      ['rest, base units', `${note.value}`],
      ['transaction', paid.signature],
      [
        'ticket of the rest',
        shown.ticket ?? 'could not be saved; the ticket that you gave is enough',
      ],
    ]),
  )
}

/**
 * Saves the ticket of the rest, which contains the balance's secret, so it must not be printed. Returns the file's
 * path; null if it can't be written. The payment is made by then, and the earlier ticket still gives access to the
 * rest.
 */
async function keepRest(
  home: string,
  { ticket: rest, signature }: { readonly ticket: Ticket; readonly signature: string },
): Promise<string | null> {
  const { writePrivateFile } = await import('@sotto/sdk/node')
  // Each payment has its own file. If the command replaced the file that it reads, a repeated command would not find
  // its payment.
  const file = join(home, 'recover', `${trackingIdOf(rest)}.${signature.slice(0, 16)}.ticket`)
  return writePrivateFile(file, `${encodeTicket(rest)}\n`).then(
    () => file,
    () => null,
  )
}
