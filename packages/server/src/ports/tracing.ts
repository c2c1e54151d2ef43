/** Steps that are recorded as a span each. The names refer to code, never to an order. */
export type SpanName = 'settle' | 'prove' | 'sign' | 'rpc'

/** Records how long steps took and how they nest; does nothing if tracing is off. */
export interface Tracing {
  /**
   * Runs a step. `settle` starts a new trace. The other steps belong to the trace in which they run, and are not
   * recorded outside a trace. `detail` is a name from the code: a method's or a step's.
   */
  readonly within: <T>(name: SpanName, detail: string, work: () => Promise<T>) => Promise<T>
}
