import { z } from 'zod'
import { Node, Whole } from './scalars.ts'

/** Number of leaves in a full page. */
export const LEAVES_PER_PAGE = 1_024

const INDEX = /^(0|[1-9][0-9]{0,8})$/

export const ListLeavesQuery = z.strictObject({
  from: z
    .string()
    .regex(INDEX, 'must be a whole number below 1,000,000,000')
    .refine((index) => !INDEX.test(index) || BigInt(index) % BigInt(LEAVES_PER_PAGE) === 0n, {
      error: 'must be a multiple of 1,024, because each page begins at such a multiple',
    })
    .optional()
    .describe('Index of the first leaf, a multiple of 1,024; 0 if absent.'),
})

export const LeavesResponse = z
  .strictObject({
    success: z.literal(true),
    from: Whole.describe('Index of the first leaf.'),
    leaves: z
      .array(Node)
      .max(LEAVES_PER_PAGE)
      .describe(
        'The leaves in the order of the tree. Only the last page may have fewer than 1,024.',
      ),
    nextIndex: Whole.describe(
      'The index after the last leaf of the page. If the page is full, the next page begins there.',
    ),
  })
  .meta({ id: 'LeavesResponse', description: 'A page of the leaves of the pool.' })

export type LeavesResponse = z.infer<typeof LeavesResponse>
