/** How a node stands beside the others. */
export interface NodeStanding {
  /** In the list of the configuration. */
  readonly place: number
  readonly isUp: boolean
  /** Undefined before it told its slot, and where there is no other to compare it with. */
  readonly lagSlots: number | undefined
}

/** Sees how requests to nodes go; never what was asked or answered. */
export interface RpcObserver {
  /** Runs a question, whatever tries it takes. */
  readonly around: <T>(method: string, ask: () => Promise<T>) => Promise<T>
  /** One request to one node. */
  readonly tried: (place: number, outcome: 'answered' | 'lacking' | 'failed') => void
  /** Is given, once, what tells at any time how the nodes stand. */
  readonly watch: (standings: () => readonly NodeStanding[]) => void
}
