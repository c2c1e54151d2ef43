import { encodeTicket, isAddress } from '@sotto/protocol'
import { toBaseUnits } from '../amounts/decimal.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { fieldsTable } from '../output/table.ts'
import { readTicket } from '../recover/read-ticket.ts'
import { decimalsOf, limitsOf, trackingIdOf, type SettleOptions } from './recover.ts'

export interface PayOptions extends SettleOptions {
  readonly to: string
  /** The amount in whole coins. */
  readonly amount: string
  /** True to make a payment again although the balance has already made the same one. */
  readonly again?: boolean
}

/** `recover pay`: makes a payment from a balance with only its ticket, a node and the prover. */
export async function runPay(
  context: CliContext,
  name: string,
  options: PayOptions,
): Promise<void> {
  const { output, settings } = context
  const payee = options.to
  if (!isAddress(payee)) {
    const next = 'give the address of a wallet with --to'
    throw new CliError(EXIT.usage, 'ADDRESS_INVALID', `"${payee}" is not an address`, next)
  }
  const ticket = await readTicket(name, settings.home)
  const payer = await context.signer()
  const rpc = await context.rpc()
  const payout = toBaseUnits(options.amount, (await decimalsOf(rpc, ticket)) ?? 0, 'the asset')
  const [{ payFromBalance }, { wasmPoseidon: poseidon }, { proveWith }, { finding }] =
    await Promise.all([
      import('@sotto/recovery'),
      import('@sotto/poseidon'),
      import('../recover/prove.ts'),
      import('../recover/find-note.ts'),
    ])
  const use = { rpc, poseidon, prove: proveWith(output), ticket, ...limitsOf(options) }
  const paid = await finding(context, ticket, options, (found) =>
    payFromBalance({ ...found, ...use, payer, payee, payout, again: options.again }),
  )
  const { confirmSettlement } = await import('../recover/confirm-settlement.ts')
  output.progress.doing(`waiting until the chain confirms ${paid.signature}`)
  const next = options.again
    ? `before you pay with --again once more, check whether ${paid.signature} landed`
    : undefined
  await confirmSettlement(context, rpc, paid.signature, next)
  const { note } = paid.ticket
  const shown = {
    kind: 'pay',
    trackingId: trackingIdOf(ticket),
    ...{ signature: paid.signature, payee, assetId: note.mint, amount: payout },
    ...{ left: note.value, recovery: encodeTicket(paid.ticket) },
  }
  output.result(shown, () =>
    fieldsTable([
      ['paid to', payee],
      ['asset', note.mint],
      ['amount', options.amount],
      ['rest, base units', `${note.value}`],
      ['transaction', paid.signature],
      ['ticket of the rest', shown.recovery],
    ]),
  )
}
