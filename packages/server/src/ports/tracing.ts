/** Steps, each of which is recorded as a span. The names refer to code, never to an order. */
export type SpanName = 'settle' | 'prove' | 'sign' | 'rpc'

/** Records how long steps took and how they nest; does nothing if tracing is off. */
export interface Tracing {
  /**
   * Runs a step. `settle` starts a new trace. Every other step belongs to the trace in which it runs. Outside of a
   * trace it isn't recorded. `detail` is a name from the code: a method's or a step's.
   */
  readonly within: <T>(name: SpanName, detail: string, work: () => Promise<T>) => Promise<T>
}
