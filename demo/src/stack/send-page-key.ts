import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { operateAll, type ServerEnvironment } from './services.ts'

const ACCOUNT = 'send-page'

/** The API key of the send page, which has its own account without a fee; created once in a folder. */
export async function sendPageKey(folder: string, env: ServerEnvironment): Promise<string> {
  const file = join(folder, 'send-page-key')
  const known = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (known !== undefined) return known
  const results = await operateAll(env, join(folder, 'send-page.jsonl'), [
    ['account', 'add', '--id', ACCOUNT, '--name', 'Send page', '--fee-bps-max', '0'],
    ['key', 'add', '--account', ACCOUNT, '--mode', 'test'],
  ])
  const { apiKey } = results.at(-1) as { apiKey: string }
  await writeFile(file, apiKey, { mode: 0o600 })
  return apiKey
}
