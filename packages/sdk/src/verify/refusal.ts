/**
 * The codes of all faults that an order can have. New codes may be added, but existing codes never change, because
 * partners branch on them.
 */
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
  /** The fault as an English sentence. */
  readonly message: string
}

/** The order isn't the requested order, so it must not be signed. */
export class OrderRefusedError extends Error {
  override readonly name = 'OrderRefusedError'
  readonly refusals: readonly Refusal[]
  /**
   * True if an earlier transaction of the same order may have been signed. That transaction may still land, so don't
   * pay in another way before the chain shows how the transfer ended. If false, nothing was signed.
   */
  readonly mayBeSigned: boolean

  constructor(
    refusals: readonly Refusal[],
    options: { readonly cause?: unknown; readonly mayBeSigned?: boolean } = {},
  ) {
    super(`do not sign: ${refusals.map(({ message }) => message).join('; ')}`, options)
    this.refusals = refusals
    this.mayBeSigned = options.mayBeSigned ?? false
  }
}

/** Refuses immediately, because the remaining checks can't be made. */
export function refuse(code: RefusalCode, message: string, cause?: unknown): never {
  throw new OrderRefusedError([{ code, message }], { cause })
}

/** Collects the faults of an order, so that one OrderRefusedError names all of them. */
export class Findings {
  readonly refusals: Refusal[] = []

  /** Adds a finding if the condition is false. */
  demand(condition: boolean, code: RefusalCode, message: string): void {
    if (!condition) this.refusals.push({ code, message })
  }

  /** @throws OrderRefusedError if there are any findings. */
  settle(): void {
    if (this.refusals.length > 0) throw new OrderRefusedError(this.refusals)
  }
}
