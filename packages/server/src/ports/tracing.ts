/** The steps that are recorded as spans. Their names refer to code, never to an order. */
export type SpanName = 'settle' | 'prove' | 'sign' | 'rpc'

/** Records how long steps take and how they are nested. Does nothing if tracing is off. */
export interface Tracing {
  /**
   * Runs a step. `settle` starts a new trace. Every other step belongs to the trace in which it runs, and isn't
   * recorded outside of a trace. `detail` is a name from the code: the name of a method or of a step.
   */
  readonly within: <T>(name: SpanName, detail: string, work: () => Promise<T>) => Promise<T>
}
