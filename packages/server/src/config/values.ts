import type { z } from 'zod'
import type { Mistake } from './mistake.ts'
import type { settings } from './sections.ts'

/** What a process does. */
export type Role = 'api' | 'worker'

/** Every parsed setting. Defaults that depend on other settings aren't filled in yet. */
export type Values = { readonly [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]> }

/**
 * A rule about several settings together. It ignores settings that are individually invalid. `given` has the names of
 * the settings that were set, so a rule can distinguish them from defaults.
 */
export type Rule = (all: Partial<Values>, given: ReadonlySet<string>) => Mistake[]
