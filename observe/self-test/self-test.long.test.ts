import { it } from 'vitest'
import { expectFound, expectNothing, OTHER_LEAKS } from './expect-leaks.ts'

it.each(OTHER_LEAKS)('the observer sees through JSON-RPC that $name', expectFound)

it.each([2, 3])('the observer finds nothing in a service without a leak (seed %i)', expectNothing)
