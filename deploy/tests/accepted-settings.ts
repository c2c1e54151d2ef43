import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { resolveConfig, type Config } from '../../packages/server/src/config.ts'

type Environment = Readonly<Record<string, string>>

/** What an operator puts into the files, by their names. */
const SAMPLES: Environment = {
  'database-url': 'postgres://sotto:secret@postgres/sotto',
  'rpc-url': 'https://rpc.example.com/?api-key=secret',
  'vault-token': 'hvs.sample',
}

/**
 * What the service makes of an environment whose secrets are files: unknown names, wrong values and whatever the
 * profile refuses throw.
 *
 * @param places the folder that the secrets stand in where the service runs, and their names there.
 */
export function acceptedSettings(
  environment: Environment,
  places: { readonly folder: string; readonly names: readonly string[] },
): Config {
  const folder = mkdtempSync(path.join(tmpdir(), 'sotto-secrets-'))
  try {
    for (const name of places.names) {
      const sample = SAMPLES[name]
      if (sample === undefined) throw new Error(`there is no sample of the secret ${name}`)
      writeFileSync(path.join(folder, name), sample)
    }
    const here = Object.entries(environment)
      .filter(([name]) => name.startsWith('SOTTO_'))
      .map(([name, value]) => [name, value.replace(`${places.folder}/`, `${folder}/`)])
    return resolveConfig(Object.fromEntries(here) as NodeJS.ProcessEnv).config
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Longer than all that a process may take from SIGTERM on: draining, answering, bringing payments to an end. */
export const stoppingSeconds = ({ DRAIN_SECONDS }: Config): number =>
  (DRAIN_SECONDS ?? 10) + 10 + 20
