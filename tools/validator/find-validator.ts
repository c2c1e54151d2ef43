import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** The release that docs/localnet.md compares with the embedded chain. */
export const VERSION = '4.2.2'
export const EXECUTABLE = 'solana-test-validator'

/** The folder for the built validator. It is outside of the checkout, so all checkouts can use it. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  // According to the XDG Base Directory specification, an empty or relative path must be ignored.
  const named = env['XDG_CACHE_HOME'] ?? ''
  const caches = named.startsWith('/') ? named : join(homedir(), '.cache')
  return join(caches, 'sotto', `agave-${VERSION}`)
}

export const builtExecutable = (env?: NodeJS.ProcessEnv): string =>
  join(cacheFolder(env), 'bin', EXECUTABLE)

/** An executable with the right version, or the reasons why no candidate can be used. */
export type Found = { readonly executable: string } | { readonly reasons: readonly string[] }

const runs = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The version that an executable prints; undefined if it prints none. */
async function versionOf(executable: string): Promise<string | undefined> {
  const run = promisify(execFile)(executable, ['--version'], { timeout: 20_000 })
  const { stdout } = await run.catch(() => ({ stdout: '' }))
  return /\b\d+\.\d+\.\d+\b/.exec(stdout)?.[0]
}

/**
 * Finds the validator: the executable that `SOTTO_VALIDATOR` names. If the variable isn't set, takes the executable in
 * the cache or, if there is none, an executable on the path.
 *
 * @throws Error if `SOTTO_VALIDATOR` names a file that can't be used.
 */
export async function findValidator(env: NodeJS.ProcessEnv = process.env): Promise<Found> {
  const named = env['SOTTO_VALIDATOR'] ?? ''
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const places =
    named === ''
      ? [builtExecutable(env), ...folders.map((folder) => join(folder, EXECUTABLE))]
      : [named]
  const reasons: string[] = []
  for (const executable of places) {
    if (!(await runs(executable))) continue
    const version = await versionOf(executable)
    if (version === VERSION) return { executable }
    reasons.push(`${executable} is version ${version ?? 'unknown'}, and ${VERSION} is needed`)
  }
  if (named === '') return { reasons }
  const reason = reasons[0] ?? `${named} is not an executable file`
  throw new Error(`${reason}; name another file in SOTTO_VALIDATOR, or leave it empty`)
}
