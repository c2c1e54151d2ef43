import { until, type Drills } from './drill.ts'

const DRILL = 'kill'

/**
 * A worker is killed while it works on orders: the other one takes them over once their leases end. It is
 * started again only after that, so that nobody but the other can have.
 */
export async function killWorker(drills: Drills): Promise<void> {
  const { cluster, load, leases, share } = drills
  load.begin(Math.max(share, 2))
  const [first, second] = cluster.workers
  let held: string[] = []
  let victim = first
  await until('a worker works on an order', async () => {
    for (const worker of [first, second]) {
      held = await leases.heldBy(worker?.pid)
      victim = worker
      if (held.length > 0) return true
    }
    return false
  })
  if (victim === undefined) throw new Error('there is no worker')
  const { pid } = victim
  await victim.crash()
  // Between look and kill it may have finished one: what it holds as a dead process counts.
  const orphans = await leases.heldBy(pid)
  const tookMs = await until(
    'what the killed worker held is settled',
    async () => (await leases.settled(orphans)) === orphans.length,
  )
  const what = `killed ${victim.name}; the other took over ${orphans.length} orders`
  drills.did({ drill: DRILL, what, stopMs: undefined, startMs: tookMs })
  const startMs = await drills.start(victim, false)
  drills.did({ drill: DRILL, what: `started ${victim.name} again`, stopMs: undefined, startMs })
}
