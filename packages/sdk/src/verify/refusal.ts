/** The faults that an order can have. Append-only, because partners branch on these codes. */
export const REFUSAL_CODES = [
  'transaction',
  'lookup_table',
  'signers',
  'already_signed',
  'instructions',
  'compute_budget',
  'program',
  'accounts',
  'order',
  'order_id',
  'sender',
  'recipient',
  'asset',
  'amount_in',
  'amount_out',
  'value',
  'partner',
  'deadline',
  'valid_until',
  'expiry',
  'commitment',
  'ticket',
  'payload',
  'authorisation',
  'quote',
  'refreshed',
  'chain',
  'program_unknown',
  'development_key',
  'min_out',
  'note_secret',
  'known_order',
] as const

export type RefusalCode = (typeof REFUSAL_CODES)[number]

export interface Refusal {
  readonly code: RefusalCode
  /** The fault, in words for people. */
  readonly message: string
}

/** The order isn't the requested one. Nothing was signed, and the order must not be signed. */
export class OrderRefusedError extends Error {
  override readonly name = 'OrderRefusedError'
  readonly refusals: readonly Refusal[]

  constructor(refusals: readonly Refusal[], options: { cause?: unknown } = {}) {
    super(`do not sign: ${refusals.map(({ message }) => message).join('; ')}`, options)
    this.refusals = refusals
  }
}

/** Refuses immediately, because the rest can't be read. */
export function refuse(code: RefusalCode, message: string, cause?: unknown): never {
  throw new OrderRefusedError([{ code, message }], { cause })
}

/** Collects the faults of an order, so that one refusal names all of them. */
export class Findings {
  readonly refusals: Refusal[] = []

  /** Adds a refusal unless the condition holds. */
  demand(condition: boolean, code: RefusalCode, message: string): void {
    if (!condition) this.refusals.push({ code, message })
  }

  /** @throws OrderRefusedError if there is any refusal. */
  settle(): void {
    if (this.refusals.length > 0) throw new OrderRefusedError(this.refusals)
  }
}
