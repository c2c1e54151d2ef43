import { mayHaveSymbol, NATIVE_MINT, SOL_SYMBOL, type Address, type Amount } from '@sotto/protocol'
import { OperatorError } from '../../start/operator-error.ts'

/**
 * The limits of the database. A command checks them before it changes the chain. Otherwise the database could refuse a
 * value that the chain already has.
 */
const SERVICE_BPS_MAX = 1_000
const DECIMALS_MAX = 18

/** An asset's settings, as far as their values are limited. */
interface Terms {
  readonly mint: Address
  readonly symbol?: string | undefined
  readonly serviceBps?: number | undefined
  readonly inputMax?: Amount | undefined
}

/**
 * Checks the settings of an asset before anything is sent.
 *
 * @throws OperatorError if the database would refuse a value, or if clients would refuse the service because of the
 *   symbol: only native SOL may be called SOL.
 */
export function assertTerms({ mint, symbol, serviceBps = 0, inputMax }: Terms): void {
  if (serviceBps > SERVICE_BPS_MAX)
    throw new OperatorError(`--service-bps is at most ${SERVICE_BPS_MAX}`)
  if (inputMax === 0n) {
    throw new OperatorError(
      '--input-max is at least 1; to refuse deposits, use: sotto-server asset set --pause-deposits on',
    )
  }
  if (symbol === undefined || mayHaveSymbol(mint, symbol)) return
  throw new OperatorError(
    mint === NATIVE_MINT
      ? `the symbol of the mint ${mint} is ${SOL_SYMBOL}`
      : `only the mint ${NATIVE_MINT} may have the symbol ${SOL_SYMBOL}`,
  )
}

/** Checks a mint's decimals. @throws OperatorError if the database would refuse them. */
export function assertDecimals(decimals: number): void {
  if (decimals > DECIMALS_MAX)
    throw new OperatorError(
      `the mint has ${decimals} decimals; at most ${DECIMALS_MAX} are possible`,
    )
}
