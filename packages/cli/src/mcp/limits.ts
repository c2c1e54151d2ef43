import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { isPrivate, readIfThere } from '../settings/owned-file.ts'
import { isAddress, type Amount } from '@sotto/protocol'
import { z } from 'zod'
import { readAmount } from './payments/read-amount.ts'

/** The channels through which a person can confirm a payment above `confirmAbove`. */
export const CONFIRMERS = ['client', 'terminal'] as const
export type Confirmer = (typeof CONFIRMERS)[number]

/** The limits as the person specifies them, in whole coins. They are read before the asset's decimals are known. */
export interface GivenLimits {
  readonly maxPayment?: string | undefined
  readonly maxDay?: string | undefined
  readonly confirmAbove?: string | undefined
  readonly confirm?: Confirmer | undefined
  readonly recipients?: readonly string[] | undefined
}

/** Complete limits. The amounts are still in whole coins. */
export interface TypedLimits {
  readonly maxPayment: string
  readonly maxDay: string
  readonly confirmAbove: string
  readonly confirm: Confirmer
  readonly recipients: readonly string[] | undefined
}

/** The limits for an agent. All amounts are base units that leave the balance, fees included. */
export interface Limits {
  readonly maxPayment: Amount
  /** Maximum sum of all payments in any 24 hours. */
  readonly maxDay: Amount
  /** A person must confirm every payment above this amount. */
  readonly confirmAbove: Amount
  /**
   * With `client`, the agent's host asks the person. With `terminal`, only an answer through `sotto mcp approve`
   * counts.
   */
  readonly confirm: Confirmer
  /** The only wallets that may be paid; undefined if every wallet may be paid. */
  readonly recipients: ReadonlySet<string> | undefined
}

const LimitsFile = z.strictObject({
  maxPayment: z.string().optional(),
  maxDay: z.string().optional(),
  confirmAbove: z.string().optional(),
  confirm: z.enum(CONFIRMERS).optional(),
  recipients: z.array(z.string()).min(1).optional(),
})

/** Reads a file with limits. Only its owner may be able to read or change it. @throws CliError. */
export async function readLimitsFile(path: string): Promise<GivenLimits> {
  const text = await readIfThere(path)
  if (text === undefined) {
    throw wrong('LIMITS_MISSING', `there is no file ${path}`, 'correct --limits')
  }
  if (!(await isPrivate(path))) {
    const message = `others may read or change the limits in ${path}`
    throw wrong('LIMITS_EXPOSED', message, `run: chmod 600 ${path}`)
  }
  try {
    return LimitsFile.parse(JSON.parse(text))
  } catch (cause) {
    const message = `${path} is not a valid file of limits`
    const next = 'see docs/mcp.md for the members of this file; amounts are strings such as "1.5"'
    throw new CliError(EXIT.config, 'LIMITS_INVALID', message, next, { cause })
  }
}

/**
 * Combines the limits from the options and from the file. The limit for each payment and the limit for 24 hours are
 * required, and no limit may be set twice. If `confirmAbove` is omitted, a person must confirm every payment. @throws
 * CliError.
 */
export function joinLimits(options: GivenLimits, file: GivenLimits): TypedLimits {
  for (const name of ['maxPayment', 'maxDay', 'confirmAbove', 'confirm', 'recipients'] as const) {
    if (options[name] === undefined || file[name] === undefined) continue
    const message = `${name} is given both as an option and in the file of limits`
    throw wrong('LIMITS_INVALID', message, 'give each limit once')
  }
  const given = { ...file, ...withoutUndefined(options) }
  const { maxPayment, maxDay, confirmAbove = '0', confirm = 'client', recipients } = given
  if (maxPayment === undefined || maxDay === undefined) {
    const next = 'give --max-payment and --max-day in whole coins of the balance, such as 0.5'
    throw wrong(
      'LIMITS_MISSING',
      'an agent needs a limit for one payment and a limit for 24 hours',
      next,
    )
  }
  const stranger = recipients?.find((recipient) => !isAddress(recipient))
  if (stranger !== undefined) {
    const next = 'correct the recipients of --allow or of the file of limits'
    throw wrong('LIMITS_INVALID', 'a recipient is not a Solana address', next)
  }
  return { maxPayment, maxDay, confirmAbove, confirm, recipients }
}

/** The limits in base units. @throws CliError for an amount that the asset's decimals can't represent. */
export function limitsIn(typed: TypedLimits, decimals: number): Limits {
  const unitsOf = (name: 'maxPayment' | 'maxDay' | 'confirmAbove') => {
    const read = readAmount(typed[name], decimals)
    if (read.kind === 'amount') return read.amount
    const message = `${name} is not an amount of an asset with ${decimals} decimals`
    throw wrong('LIMITS_INVALID', message, 'give digits and at most one point, such as 0.5')
  }
  return {
    maxPayment: unitsOf('maxPayment'),
    maxDay: unitsOf('maxDay'),
    confirmAbove: unitsOf('confirmAbove'),
    confirm: typed.confirm,
    recipients: typed.recipients === undefined ? undefined : new Set(typed.recipients),
  }
}

const withoutUndefined = (given: GivenLimits): GivenLimits =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

const wrong = (code: string, message: string, next: string): CliError =>
  new CliError(EXIT.config, code, message, next)
