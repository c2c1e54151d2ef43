import type { MaybePromise } from '../ports/maybe-promise.ts'

/** True if the value isn't a promise, so it can be used without `await`: `isImmediate(it) ? it : await it`. */
export const isImmediate = <T>(value: MaybePromise<T>): value is T => !(value instanceof Promise)
