import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { resolveConfig, type Config } from '../../packages/server/src/config.ts'

type Environment = Readonly<Record<string, string>>

/** Sample contents of the operator's secret files, by file name. */
const SAMPLES: Environment = {
  'database-url': 'postgres://sotto:secret@postgres/sotto',
  'rpc-url': 'https://rpc.example.com/?api-key=secret',
  'vault-token': 'hvs.sample',
}

/**
 * Returns the service's configuration for an environment whose secrets are in files. Throws for unknown names, wrong
 * values, and settings that the profile refuses.
 *
 * @param places the folder of the secrets on the service's machine, and the names of the secret files in that folder.
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

/** Time limits of the steps of a stop, in seconds. docs/deployment/replicas.md lists them. */
const API_ANSWERS = 10
const PAYMENTS = 20
const PROVERS = 10
const WEBHOOKS = 10
const METRICS = 10
const TRACES = 5

/** The longest time, in seconds, that a process may take after SIGTERM if database, nodes and Vault answer. */
export function stoppingSeconds({ ROLE, DRAIN_SECONDS }: Config): number {
  const api = ROLE.includes('api') ? (DRAIN_SECONDS ?? 10) + API_ANSWERS : 0
  const worker = ROLE.includes('worker') ? PAYMENTS + PROVERS + WEBHOOKS : 0
  return api + worker + METRICS + TRACES
}
