import type { Entry, Question } from '../ledger/entry.ts'
import type { PaymentOrder } from './purse.ts'

/** How this call can ask a person for confirmation. */
export interface Confirmation {
  /** True if the agent's host can show a question. */
  readonly canAsk: boolean
  /** The person's answer to a question; undefined if there is no answer yet. */
  readonly answer: (question: Question) => Promise<'yes' | 'no' | undefined>
  /** Publishes a new question for the person at the terminal. */
  readonly publish: (question: Question, order: PaymentOrder) => Promise<void>
  /** Deletes a published question that is decided or replaced. */
  readonly forget: (question: Question) => Promise<void>
}

/** Deletes the published question of an entry that is decided or replaced. */
export async function forget(entry: Entry | undefined, confirmation: Confirmation): Promise<void> {
  const question = entry?.question ?? undefined
  if (question?.by === 'terminal') await confirmation.forget(question)
}
