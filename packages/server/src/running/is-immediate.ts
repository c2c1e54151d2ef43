import type { MaybePromise } from '../ports/maybe-promise.ts'

/** True if there is nothing to wait for: `isImmediate(it) ? it : await it`. */
export const isImmediate = <T>(value: MaybePromise<T>): value is T => !(value instanceof Promise)
