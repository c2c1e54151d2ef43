import type { Order, Quote } from '@sotto/contract'
import type { Instruction } from '@solana/kit'
import type { RefusalCode } from '../../wallet.ts'
import { forgeTransaction, type Forgery } from './forge.ts'
import type { HonestOrder } from './honest-order.ts'

/** A malicious service's response instead of the honest order and quote. */
export interface Answered {
  readonly order: Order
  readonly quote: Quote
}

export interface Attack {
  readonly name: string
  /** One of the refusals must have this code. */
  readonly code: RefusalCode
  readonly of: 'any' | 'token' | 'partner' | 'send' | 'swap'
  readonly answer: (honest: HonestOrder) => Promise<Answered>
}

type Changes = { readonly order?: Partial<Order>; readonly quote?: Partial<Quote> }

/** An attack on the transaction. Order and quote may change together with it. */
export const byTransaction = (
  name: string,
  code: RefusalCode,
  forgery: Forgery | ((honest: HonestOrder) => Forgery | Promise<Forgery>),
  changes: (honest: HonestOrder) => Changes = () => ({}),
  of: Attack['of'] = 'any',
): Attack => ({
  ...{ name, code, of },
  answer: async (honest) => {
    const chosen = typeof forgery === 'function' ? await forgery(honest) : forgery
    const transaction = await forgeTransaction(honest, chosen)
    const { order, quote } = changes(honest)
    return {
      order: { ...honest.order, transaction, ...order },
      quote: { ...honest.quote, ...quote },
    }
  },
})

/** An attack through the service's statements, with the honest transaction. */
export const byAnswer = (
  name: string,
  code: RefusalCode,
  changes: (honest: HonestOrder) => Changes,
  of: Attack['of'] = 'any',
): Attack => ({
  ...{ name, code, of },
  answer: async (honest) => {
    const { order, quote } = changes(honest)
    return { order: { ...honest.order, ...order }, quote: { ...honest.quote, ...quote } }
  },
})

/** Adds an instruction somewhere among the honest ones. */
export const withInstruction = (
  name: string,
  make: (honest: HonestOrder) => Instruction,
  at = Infinity,
): Attack =>
  byTransaction(name, 'instructions', (honest) => ({
    instructions: (all) => all.toSpliced(at, 0, make(honest)),
  }))
