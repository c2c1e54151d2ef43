import type { Tracing } from '../../ports/tracing.ts'

/** Tracing of a service that has none: the step, and nothing else. */
export const untraced: Tracing = { within: (_name, _detail, work) => work() }
