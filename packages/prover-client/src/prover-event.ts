/**
 * An event for the operator. `exited`: a process ended unexpectedly, perhaps during a proof. `started`: a process is
 * ready. `reported`: a process has reported a fault on its error output, and may continue. The event doesn't contain
 * the reported text. No event contains any part of a witness.
 */
export type ProverEvent =
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'reported' }
  | {
      readonly kind: 'exited'
      readonly code: number | null
      readonly signal: string | null
      readonly duringProof: boolean
      /** Milliseconds until the next attempt to start a process. */
      readonly restartInMs: number
    }
