import type { Tracing } from '../../ports/tracing.ts'

/** Tracing that is off: only runs the step. */
export const untraced: Tracing = { within: (_name, _detail, work) => work() }
