import { wasmPoseidon } from '@sotto/poseidon'
import { heldLeaves, locateNote, type LocateOptions } from '@sotto/recovery'
import { lineOf, type Measured } from '../report/line.ts'
import type { Suite } from '../suite.ts'
import { sampleChain } from './sample-chain.ts'
import { sampleNode } from './sample-node.ts'

const LEAVES = 100_000
const QUICK_LEAVES = 3_000
const ROUNDS = 3
/** The longest acceptable wait for a ticket's holder, in seconds. The node's response times aren't included. */
const SECONDS_MAX = { history: 120, 'published leaves': 30 } as const

type Source = keyof typeof SECONDS_MAX
const SOURCES = Object.keys(SECONDS_MAX) as Source[]

const nameOf = (source: Source, count: number): string =>
  `recovery: a ticket among ${count.toLocaleString('en-US')} leaves and as much spam, from ${source}`

/**
 * Measures how long recovery takes to find a ticket's note in a large pool. An attacker has flooded the pool with spam.
 */
export const recoverySuite: Suite = {
  measures: 'finding the note of a ticket without the service',
  run: async ({ quick, wants, progress }) => {
    const count = quick ? QUICK_LEAVES : LEAVES
    const wanted = SOURCES.filter((source) => wants(nameOf(source, count)))
    if (wanted.length === 0) return []
    const chain = await sampleChain(count)
    const node = sampleNode(chain)
    const find = async (options: LocateOptions): Promise<number> => {
      const startedMs = performance.now()
      const { position } = await locateNote(node, wasmPoseidon, chain.ticket, options)
      if (position.leafIndex !== BigInt(chain.index))
        throw new Error('recovery found a different note')
      return (performance.now() - startedMs) / 1_000
    }
    const measured: Measured[] = []
    for (const source of wanted) {
      const sources = source === 'history' ? [] : [heldLeaves(chain.leaves)]
      const values: number[] = []
      for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
        values.push(await find({ sources }))
        progress(`  from ${source}: ${values.at(-1)?.toFixed(1)} s`)
      }
      const name = nameOf(source, count)
      measured.push({ name, unit: 's', values, baselines: [SECONDS_MAX[source]], bar: '<= 1' })
    }
    return measured.map((one) => lineOf(one, !quick))
  },
}
