import { until, type Drills } from './drill.ts'
import type { Replica } from './replica.ts'

const DRILL = 'kill'

/**
 * Kills a worker while it works on orders. When its leases end, the other worker takes over these orders. The killed
 * worker starts again only after they are settled, so the other worker must have settled them.
 */
export async function killWorker(drills: Drills): Promise<void> {
  const { load, leases } = drills
  load.beginPrompt()
  const { victim, held } = await catchAtWork(drills)
  await victim.crash()
  const tookMs = await until(
    'the orders of the killed worker are settled',
    async () => (await leases.settled(held)) === held.length,
  )
  const what = `killed ${victim.name}; the other worker took over ${held.length} orders`
  drills.did({ drill: DRILL, what, stopMs: undefined, startMs: tookMs })
  const startMs = await drills.start(victim, false)
  drills.did({ drill: DRILL, what: `started ${victim.name} again`, stopMs: undefined, startMs })
}

/** Finds a worker that holds orders, and suspends it. Returns the worker and the pseudonyms of its orders. */
async function catchAtWork({
  cluster,
  leases,
}: Drills): Promise<{ readonly victim: Replica; readonly held: readonly string[] }> {
  let caught: { readonly victim: Replica; readonly held: readonly string[] } | undefined
  await until('a worker works on an order', async () => {
    for (const victim of cluster.workers) {
      if ((await leases.heldBy(victim.pid)).length === 0) continue
      // A worker that isn't suspended could release its orders between this check and the kill.
      victim.freeze(true)
      const held = await leases.heldBy(victim.pid)
      if (held.length > 0) caught = { victim, held }
      else victim.freeze(false)
      if (caught !== undefined) return true
    }
    return false
  })
  if (caught === undefined) throw new Error('no worker is running')
  return caught
}
