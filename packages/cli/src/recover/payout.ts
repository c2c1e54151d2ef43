import { NATIVE_MINT, type Address, type Amount } from '@sotto/protocol'
import { toPaidUnits } from '../amounts/decimal.ts'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import { assetOnChain } from '../balances/balance-asset.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { fieldsTable } from '../output/table.ts'

/** The amount of a payment. Exactly one of the two members is set. */
export interface PayoutOptions {
  /** The amount in whole coins. */
  readonly amount?: string
  readonly baseUnits?: Amount
}

export interface PayoutUse {
  readonly rpc: CliRpc
  readonly mint: Address
  readonly payee: Address
}

/**
 * The amount of a payment in base units. If the amount is in whole coins of a token, only the node says how many
 * decimals the token has. The chain pays any signed amount, so wrong decimals could make it pay ten or a hundred times
 * the typed amount. A person must therefore accept the base units.
 *
 * @throws CliError if the amount is missing or wrong, if the person declines, or if there is no one to ask.
 */
export async function payoutOf(
  { output, signal }: Pick<CliContext, 'output' | 'signal'>,
  { amount, baseUnits }: PayoutOptions,
  { rpc, mint, payee }: PayoutUse,
): Promise<Amount> {
  if (baseUnits !== undefined && amount === undefined) return baseUnits
  if (amount === undefined || baseUnits !== undefined) {
    const message = 'the amount must be given once'
    throw new CliError(EXIT.usage, 'AMOUNT_INVALID', message, 'give --amount or --base-units')
  }
  const { decimals } = await assetOnChain({ rpc: async () => rpc }, mint)
  const payout = toPaidUnits(amount, decimals, 'the asset')
  if (mint === NATIVE_MINT) return payout
  const next = 'look up the decimals elsewhere, and give the amount with --base-units'
  if (!output.isInteractive) {
    const message = `the node says that this token has ${decimals} decimals, so ${amount} is ${payout} base units: there is no terminal to ask whether this is true`
    throw new CliError(EXIT.usage, 'NOBODY_TO_ASK', message, next)
  }
  output.note(
    fieldsTable([
      ['pays', payee],
      ['asset', mint],
      ['amount', amount],
      ['decimals', `${decimals}, according to the node`],
      ['base units', `${payout}`],
    ]),
  )
  if (await output.ask('Are the decimals right? Pay this?', signal)) return payout
  throw new CliError(EXIT.declined, 'DECLINED', 'nothing was paid', next)
}
