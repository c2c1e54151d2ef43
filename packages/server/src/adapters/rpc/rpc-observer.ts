/** The state of a node compared with the other nodes. */
export interface NodeStanding {
  /** The node's index in the configured list. */
  readonly place: number
  readonly isUp: boolean
  /** Undefined if the node hasn't reported its slot yet, or if there is only one node. */
  readonly lagSlots: number | undefined
}

/** Observes the results of requests to nodes, never their content. */
export interface RpcObserver {
  /** Runs a request with all its tries, and observes when and how it ends. */
  readonly around: <T>(method: string, ask: () => Promise<T>) => Promise<T>
  /** Receives the result of one request to one node. */
  readonly tried: (place: number, outcome: 'answered' | 'lacking' | 'failed') => void
  /** Called once, with a function that returns the nodes' current states. */
  readonly watch: (standings: () => readonly NodeStanding[]) => void
}
