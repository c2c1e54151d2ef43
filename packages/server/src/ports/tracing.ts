/** The steps that get a separate span. The names refer to code, never to an order. */
export type SpanName = 'settle' | 'prove' | 'sign' | 'rpc'

/** Records how long steps took and how they nest; does nothing if tracing is off. */
export interface Tracing {
  /**
   * Runs a step. `settle` starts a trace of its own; the others belong to the trace in which they run, and are
   * not recorded outside one. `detail` is a name from the code: a method's or a step's.
   */
  readonly within: <T>(name: SpanName, detail: string, work: () => Promise<T>) => Promise<T>
}
