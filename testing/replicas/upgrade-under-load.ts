import type { Drills } from './drill.ts'
import { nextVersion } from './next-version.ts'

const DRILL = 'migration'

/**
 * Every process is replaced by one of a newer version: the first of those migrates the database while the
 * old ones serve. Then one goes back, as an operator does who doesn't like what they see.
 */
export async function upgradeUnderLoad(drills: Drills): Promise<void> {
  const { apis, workers } = drills.cluster
  const next = await nextVersion()
  for (const replica of [...workers, ...apis]) {
    await drills.replace(DRILL, 'upgraded', replica, next)
  }
  const [api] = apis
  if (api !== undefined) await drills.replace(DRILL, 'took back', api)
}
