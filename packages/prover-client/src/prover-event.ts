/**
 * Something that an operator wants to see. `exited`: a process ended without being asked to, perhaps
 * over a proof. `started`: one is ready. Neither says what was being proved.
 */
export type ProverEvent =
  | { readonly kind: 'started'; readonly pid: number }
  | {
      readonly kind: 'exited'
      readonly code: number | null
      readonly signal: string | null
      readonly duringProof: boolean
      /** Milliseconds until the next attempt to start one. */
      readonly restartInMs: number
    }
