import type { z } from 'zod'
import type { Mistake } from './mistake.ts'
import type { settings } from './sections.ts'

/** Every parsed setting, before those that depend on others are derived. */
export type Values = { readonly [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]> }

/** A rule on several settings together. Ignores settings that are invalid by themselves. */
export type Rule = (all: Partial<Values>) => Mistake[]
