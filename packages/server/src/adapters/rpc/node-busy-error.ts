/** Thrown if no node may be asked now, because every node refuses further requests for some time. */
export class NodeBusyError extends Error {
  override readonly name = 'NodeBusyError'
  readonly code = 'node_rate_limited'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super(
      'every RPC node refuses further requests now; wait, or configure a node with higher limits',
    )
    this.retryAfterSeconds = retryAfterSeconds
  }
}
