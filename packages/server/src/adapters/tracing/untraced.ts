import type { Tracing } from '../../ports/tracing.ts'

/** Tracing that is off. It runs each step and records nothing. */
export const untraced: Tracing = { within: (_name, _detail, work) => work() }
