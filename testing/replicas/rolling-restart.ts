import type { Drills } from './drill.ts'

/** Stops and restarts every process, one after another, while orders continue. */
export async function rollingRestart(drills: Drills): Promise<void> {
  const { apis, workers } = drills.cluster
  for (const replica of [...apis, ...workers]) await drills.replace('restart', 'restarted', replica)
}
