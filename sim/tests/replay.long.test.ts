import { it } from 'vitest'
import { expectNoViolation, OTHER_SEEDS } from './kept-seeds.ts'

it.each(OTHER_SEEDS)('breaks no rule with seed $seed ($why)', expectNoViolation)
