/** What is measured by itself. Names of code, never of anybody's order. */
export type SpanName = 'settle' | 'prove' | 'sign' | 'rpc'

/** Says how long steps took, and which was part of which; for nobody where tracing is off. */
export interface Tracing {
  /**
   * Runs a step. `settle` begins a trace of its own; the others belong to the one they run in, and are not
   * told where there is none. `detail` is a word of the code: a method's name, a step's.
   */
  readonly within: <T>(name: SpanName, detail: string, work: () => Promise<T>) => Promise<T>
}
