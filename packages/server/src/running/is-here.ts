import type { Soon } from '../ports/soon.ts'

/** True where there is nothing to wait for: `isHere(it) ? it : await it`. */
export const isHere = <T>(value: Soon<T>): value is T => !(value instanceof Promise)
