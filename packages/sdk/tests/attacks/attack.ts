import type { Order, Quote } from '@sotto/contract'
import type { Instruction } from '@solana/kit'
import type { RefusalCode } from '../../wallet.ts'
import { forgeTransaction, type Forgery } from './forge.ts'
import type { HonestOrder } from './honest-order.ts'

/** The response of a malicious service. It replaces the honest order and quote. */
export interface Answered {
  readonly order: Order
  readonly quote: Quote
}

export interface Attack {
  readonly name: string
  /** The client must refuse with this code, among others. */
  readonly code: RefusalCode
  readonly of: 'any' | 'token' | 'partner' | 'send' | 'swap'
  readonly answer: (honest: HonestOrder) => Promise<Answered>
}

type Changes = { readonly order?: Partial<Order>; readonly quote?: Partial<Quote> }

/** An attack that changes the transaction. Order and quote may change together with it. */
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

/** An attack that changes the service's statements, while the transaction stays honest. */
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

/** Inserts an instruction among the honest instructions. */
export const withInstruction = (
  name: string,
  make: (honest: HonestOrder) => Instruction,
  at = Infinity,
): Attack =>
  byTransaction(name, 'instructions', (honest) => ({
    instructions: (all) => all.toSpliced(at, 0, make(honest)),
  }))
