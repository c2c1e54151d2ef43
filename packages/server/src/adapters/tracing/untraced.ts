import type { Tracing } from '../../ports/tracing.ts'

/** Tracing that is off: it only runs the step. */
export const untraced: Tracing = { within: (_name, _detail, work) => work() }
