import type { Address } from '@sotto/protocol'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { Database } from '../adapters/store/sql.ts'
import type { Clock } from '../ports/clock.ts'
import type { PriceLimits } from '../settlement/pay/offered-price.ts'

/** Dependencies of an operator's command. */
export interface OperatorContext {
  readonly rpc: ChainRpc
  /** One client for each node; undefined or empty if there is only one node. */
  readonly witnesses?: readonly ChainRpc[]
  readonly program: Address
  /** The database, after its migrations have run. */
  readonly database: Database
  readonly clock: Clock
  /** The bounds of the priority fee that the command's transactions offer. */
  readonly prices: PriceLimits
  /** Milliseconds of a clock that is never set back; by default the machine's monotonic clock. */
  readonly steadyMs?: () => number
  /** Prints a line about the command's progress on standard error. */
  readonly report?: (line: string) => void
  /**
   * Calls `listener` at the next Ctrl-C, which then doesn't end the process. Returns a function that removes the
   * listener.
   */
  readonly onInterrupt?: (listener: () => void) => () => void
  /** Prints a command's result. For a person, prints `shown` instead, if given. */
  readonly out: (result: object, shown?: string) => void
}

/** Opens a context for one command and closes it afterwards, even if the command fails. */
export type WithContext = (work: (context: OperatorContext) => Promise<void>) => Promise<void>
