import type { Drills } from './drill.ts'

/** Every process is stopped and started again, one after the other, while orders go on. */
export async function rollingRestart(drills: Drills): Promise<void> {
  const { apis, workers } = drills.cluster
  for (const replica of [...apis, ...workers]) await drills.replace('restart', 'restarted', replica)
}
