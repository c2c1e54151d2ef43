import type { z } from 'zod'
import type { Mistake } from './mistake.ts'
import type { settings } from './sections.ts'

/** Every setting as it was parsed, before what follows from others. */
export type Values = { readonly [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]> }

/** What two or more settings must be together. Says nothing of those that are wrong in themselves. */
export type Rule = (all: Partial<Values>) => Mistake[]
