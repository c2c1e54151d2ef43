import { z } from 'zod'
import { MAX_LAG_BLOCKS } from '../../chain/chain.ts'
import { NO_FAULTS } from '../../faults/faults.ts'
import { defineMethod } from '../method.ts'
import { paramList } from '../params.ts'

const MAX_DELAY_MS = 600_000

/** Maximum wait: twice a blockhash's lifetime. No transaction could land after a longer wait. */
const MAX_LATE_BLOCKS = 300

const shareParam = z.number().min(0).max(1)

const configParam = z
  .strictObject({
    drop: shareParam.default(NO_FAULTS.drop),
    dropWithFork: shareParam.default(NO_FAULTS.dropWithFork),
    landAfterBlocks: z
      .number()
      .int()
      .min(0)
      .max(MAX_LATE_BLOCKS)
      .default(NO_FAULTS.landAfterBlocks),
    reorder: z.boolean().default(NO_FAULTS.reorder),
    shuffleListings: z.boolean().default(NO_FAULTS.shuffleListings),
    historyFrom: z.number().int().min(0).default(NO_FAULTS.historyFrom),
    delayMs: z.number().int().min(0).max(MAX_DELAY_MS).default(NO_FAULTS.delayMs),
    lagSlots: z.number().int().min(0).max(MAX_LAG_BLOCKS).default(NO_FAULTS.lagSlots),
    errorRate: shareParam.default(NO_FAULTS.errorRate),
    errorKind: z.enum(['http503', 'unhealthy', 'mixed']).default(NO_FAULTS.errorKind),
    dropNotifications: shareParam.default(NO_FAULTS.dropNotifications),
    methods: z.array(z.string()).nullable().default(null),
    seed: z.number().int().min(0).default(NO_FAULTS.seed),
  })
  // Reordering works only for transactions that wait for a block.
  .refine(({ reorder, landAfterBlocks }) => !reorder || landAfterBlocks > 0, {
    error: 'reorder needs landAfterBlocks',
  })
  .prefault({})

/** Replaces the whole configuration. Omitted faults are off. */
export const localnetSetFaults = defineMethod({
  name: 'localnet_setFaults',
  params: paramList(configParam),
  handle: ([config], scope) => {
    scope.faults.configure(config)
    return config
  },
})
