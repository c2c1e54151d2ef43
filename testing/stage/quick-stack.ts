import { silence } from '../../demo/src/progress.ts'
import { openLocalStack, type LocalStack } from '../../demo/src/stack/local-stack.ts'
import type { ServerEnvironment } from '../../demo/src/stack/services.ts'
import { newDatabase } from '../../packages/server/tests/migrated-database.ts'

/** A short slot time, for quick tests. A blockhash is still valid for 25 seconds. */
const SLOT_MS = 150

export interface QuickStack extends LocalStack {
  /** Deletes the service's database. The caller must have stopped the service. */
  readonly dropDatabase: () => Promise<void>
}

/** A local stack whose slots pass quickly. Its database is on the PostgreSQL server of all tests. */
export async function openQuickStack(options: {
  readonly folder: string
  readonly settings?: ServerEnvironment
  readonly withPages?: boolean
}): Promise<QuickStack> {
  const { url, release } = await newDatabase()
  let dropped: Promise<unknown> | undefined
  const dropDatabase = async (): Promise<void> => {
    dropped ??= release()
    await dropped
  }
  const stack = await openLocalStack({
    ...options,
    ...{ apiPort: 0, rpcPort: 0, progress: silence, slotMs: SLOT_MS },
    settings: { SOTTO_POLL_MS: '300', SOTTO_DATABASE_URL: url, ...options.settings },
  }).catch(async (error: unknown) => {
    await dropDatabase()
    throw error
  })
  const close = async () => {
    await stack.close()
    await dropDatabase()
  }
  return { ...stack, close, dropDatabase }
}
