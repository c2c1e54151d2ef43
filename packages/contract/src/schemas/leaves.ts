import { z } from 'zod'
import { Node, Whole } from './scalars.ts'

/** Leaves of a whole page. */
export const LEAVES_PER_PAGE = 1_024

export const ListLeavesQuery = z.strictObject({
  from: z
    .string()
    .regex(/^(0|[1-9][0-9]{0,8})$/, 'must be a whole number below 1,000,000,000')
    .optional()
    .describe('Index of the first leaf; 0 if absent.'),
})

export const LeavesResponse = z
  .strictObject({
    success: z.literal(true),
    from: Whole.describe('Index of the first leaf.'),
    leaves: z
      .array(Node)
      .max(LEAVES_PER_PAGE)
      .describe('In the order of the tree; fewer than 1,024 only at its end.'),
    nextIndex: Whole.describe('The index after the last leaf: where the next page begins.'),
  })
  .meta({ id: 'LeavesResponse', description: 'A page of the leaves of the pool.' })

export type LeavesResponse = z.infer<typeof LeavesResponse>
