import { amount, type Amount } from '@sotto/protocol'
import { z } from 'zod'
import { DRAWN_ID } from '../../draw-id.ts'

const Units = z.string().regex(/^(0|[1-9][0-9]{0,19})$/)

/** A question that asks a person to confirm one payment. */
const Question = z.strictObject({
  id: z.string().regex(DRAWN_ID),
  /** The channel through which the question may be answered. An answer through the other channel is ignored. */
  by: z.enum(['client', 'terminal']),
  /** The maximum that may leave the balance if the person agrees, fees included. */
  most: Units,
  expiresAtMs: z.int(),
})

/**
 * The states of a payment:
 *
 *   asked -> sending | declined | uncertain
 *   sending -> paid | not_paid | unknown | uncertain
 *   not_paid -> sending | asked | uncertain      another attempt with the same key
 *   unknown -> paid | not_paid | uncertain       the original store was put back
 *
 * `not_paid` means that the payment was never signed, or that it can't land because the chain shows a different payment
 * out of the same note. `unknown` means that nothing proves how the payment ended: the balance's store was replaced
 * while the payment was `sending`, or a signature was dropped because a node showed that the payment couldn't land. An
 * `unknown` payment counts against the limits until the server starts with the original store, or until a person
 * changes the ledger. `uncertain` means that the chain shows an equal payment that the balance's store has no record
 * of. Only a person can change this state.
 */
const Entry = z.strictObject({
  state: z.enum(['asked', 'declined', 'sending', 'paid', 'not_paid', 'unknown', 'uncertain']),
  to: z.string(),
  /** Base units that the recipient receives. */
  amount: Units,
  /** Maximum base units that may leave the balance for this payment, fees included; 0 before the first attempt. */
  most: Units,
  /**
   * The id of the newest attempt; null until that attempt has begun. The id is written first to the balance's store,
   * then to the ledger, and only then may the SDK sign.
   */
  attempt: z.string().regex(DRAWN_ID).nullable(),
  /** The time at which the entry reached this state, by the ledger's clock. */
  changedAtMs: z.int(),
  question: Question.nullable(),
  paid: z
    .strictObject({
      payout: Units,
      fee: Units,
      trackingId: z.string().nullable(),
      signature: z.string().nullable(),
    })
    .nullable(),
})

export const LedgerFile = z.strictObject({
  version: z.literal(2),
  /** The latest time that this ledger has recorded, in milliseconds since 1970. */
  newestMs: z.int(),
  entries: z.record(z.string(), Entry),
})

export type Question = z.infer<typeof Question>
export type Entry = z.infer<typeof Entry>
export type LedgerState = z.infer<typeof LedgerFile>

/** The members of an entry whose payment hasn't begun. */
export const NOT_BEGUN = { question: null, paid: null, attempt: null } as const

/** Converts the ledger's digits to base units. */
export const unitsIn = (digits: string): Amount => amount(BigInt(digits))
