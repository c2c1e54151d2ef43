import type { z } from 'zod'
import type { Chain, ChainListener } from '../chain/chain.ts'

/** The chain and the functions that a subscription uses. */
export interface SubscriptionScope {
  readonly chain: Chain
  /** Sends one notification. */
  notify(result: unknown): void
  /** Ends the subscription. A subscription calls this with its last notification. */
  end(): void
}

/** A kind of subscription, with its `<name>Subscribe`, `<name>Unsubscribe` and `<name>Notification`. */
export interface SubscriptionKind {
  readonly name: string
  /** Starts a subscription. Throws zod's error if the parameters are malformed. */
  start(params: unknown, scope: SubscriptionScope): Partial<ChainListener>
}

/** Defines a kind. Its parameters are checked before `start` gets them. */
export function defineSubscription<S extends z.ZodType>(definition: {
  name: string
  params: S
  start: (params: z.output<S>, scope: SubscriptionScope) => Partial<ChainListener>
}): SubscriptionKind {
  return {
    name: definition.name,
    start: (params, scope) => definition.start(definition.params.parse(params ?? []), scope),
  }
}
