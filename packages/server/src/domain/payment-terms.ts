import {
  amount,
  decodeTicket,
  type Address,
  type Amount,
  type OwnerSignature,
  type Ticket,
} from '@sotto/protocol'

/** The data that a balance's owner provides when signing a payment. */
export interface PaymentSignature {
  /** The `nk` of the change, which is the note that gets the rest of the value. */
  readonly changeNk: bigint
  readonly signature: OwnerSignature
  /**
   * True if the owner ends the balance with this payment. A rest that is too small to be returned then stays in the
   * pool.
   */
  readonly isLast?: true | undefined
}

/** The sealed terms of a payment: all data that would link the payment to its balance or to its payee. */
export interface PaymentTerms {
  /** The ticket of the note that is spent, without its owner's secret. */
  readonly ticket: string
  readonly leafIndex: number
  readonly payee: Address
  /** The payee's amount, in base units. */
  readonly payout: Amount
  /** The settlement's fee in base units, which the note pays in addition to the payout. */
  readonly fee: Amount
  /** True if the payee's account existed at the quote: see `SealedTerms`. */
  readonly accountExisted: boolean
  /** Undefined until the owner has signed. */
  readonly signed?: PaymentSignature | undefined
}

interface Written extends Omit<PaymentTerms, 'payout' | 'fee' | 'signed'> {
  readonly payout: string
  readonly fee: string
  readonly signed?: Readonly<Record<'changeNk' | 'S' | 'x' | 'y', string>> & {
    readonly isLast?: true | undefined
  }
}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** Integers that may be too large for JSON's numbers are written as decimal digits. */
export function encodePayment({ signed, payout, fee, ...rest }: PaymentTerms): Uint8Array {
  const written: Written = {
    ...rest,
    payout: `${payout}`,
    fee: `${fee}`,
    ...(signed === undefined ? {} : { signed: digitsOf(signed) }),
  }
  return encoder.encode(JSON.stringify(written))
}

const digitsOf = ({ changeNk, signature: { S, R8 }, isLast }: PaymentSignature) => ({
  ...{ changeNk: `${changeNk}`, S: `${S}`, x: `${R8.x}`, y: `${R8.y}`, isLast },
})

/** Reads a payment's terms. The seal authenticates the text, so only this file can have written it. */
export function decodePayment(clear: Uint8Array): PaymentTerms {
  const { payout, fee, signed, ...rest } = JSON.parse(decoder.decode(clear)) as Written
  const terms = { ...rest, payout: amount(BigInt(payout)), fee: amount(BigInt(fee)) }
  if (signed === undefined) return terms
  const R8 = { x: BigInt(signed.x), y: BigInt(signed.y) }
  const signature = { S: BigInt(signed.S), R8 }
  const { isLast } = signed
  return { ...terms, signed: { changeNk: BigInt(signed.changeNk), signature, isLast } }
}

/** Decodes the ticket of the note that a payment spends. @throws Error if the ticket belongs to a transfer. */
export function balanceTicket(text: string): Ticket {
  const ticket = decodeTicket(text)
  if (ticket.note.claim.kind !== 'balance') throw new Error('the ticket belongs to a transfer')
  return ticket
}
