import { runCommand } from '../../demo/src/stack/child-process.ts'
import { openPostgres } from '../../packages/server/src/adapters/store/postgres.ts'
import type { Drills } from './drill.ts'
import { breakingVersion, MIGRATION, nextVersion } from './next-version.ts'

const DRILL = 'migration'

/**
 * Replaces every process with a process of a newer version. The first new process migrates the database while the old
 * processes serve. After that, one process is rolled back to the old version. The service must refuse an incompatible
 * version's migration, because it would break the running processes.
 */
export async function upgradeUnderLoad(drills: Drills): Promise<void> {
  await refuseBreaking(drills)
  const { apis, workers } = drills.cluster
  const next = await nextVersion()
  for (const replica of [...workers, ...apis]) {
    await drills.replace(DRILL, 'upgraded', replica, next.program)
  }
  await assertMigrated(drills)
  const [api] = apis
  if (api !== undefined) await drills.replace(DRILL, 'rolled back', api)
  await next.remove()
}

async function refuseBreaking({ cluster, load }: Drills): Promise<void> {
  const { main, remove } = await breakingVersion()
  const refusal = await runCommand('migrate', main, ['--json', 'migrate'], cluster.ground.env).then(
    () => 'nothing',
    (error: unknown) => String(error),
  )
  if (!/migrate --alone/.test(refusal)) {
    load.wrong.push(`a migration that breaks running processes got this answer: ${refusal}`)
  }
  await remove()
}

async function assertMigrated({ cluster, load }: Drills): Promise<void> {
  const database = openPostgres(cluster.ground.databaseUrl, { connectionsMax: 1 })
  const ran = await database.query('SELECT 1 FROM schema_migrations WHERE name = $1', [MIGRATION])
  if (ran.length === 0) load.wrong.push('the new version did not migrate the database')
  await database.close()
}
