import { NATIVE_MINT, type Address, type Amount } from '@sotto/protocol'
import { OperatorError } from '../../start/operator-error.ts'

/** The limits of the database. A command checks them before it changes the chain, so that the two can't differ. */
const SERVICE_BPS_MAX = 1_000
const DECIMALS_MAX = 18

const SOL = 'SOL'

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
  if (symbol === undefined) return
  if (mint === NATIVE_MINT && symbol !== SOL)
    throw new OperatorError(`the symbol of the mint ${mint} is ${SOL}`)
  if (mint !== NATIVE_MINT && isCalledSol(symbol))
    throw new OperatorError(`only the mint ${NATIVE_MINT} may have the symbol ${SOL}`)
}

/** True if a person reads the symbol as SOL. Spaces and characters that aren't shown don't count. */
const isCalledSol = (symbol: string): boolean =>
  symbol.replaceAll(/[\p{C}\p{Z}]/gu, '').toUpperCase() === SOL

/** Checks a mint's decimals. @throws OperatorError if the database would refuse them. */
export function assertDecimals(decimals: number): void {
  if (decimals > DECIMALS_MAX)
    throw new OperatorError(
      `the mint has ${decimals} decimals; at most ${DECIMALS_MAX} are possible`,
    )
}
