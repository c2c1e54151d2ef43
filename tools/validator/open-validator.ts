import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXECUTABLE, findValidator, VERSION } from './find-validator.ts'
import { SHREDS, startValidator, type RunningValidator } from './start-validator.ts'
import { freeRange } from './validator-ports.ts'

let known: string | undefined

/** Finds the installed validator. If there is none, @throws Error that names the command for building it. */
async function installedValidator(): Promise<string> {
  if (known !== undefined) return known
  const found = await findValidator()
  if ('executable' in found) {
    // Removes this variable. The service inherits the environment, and refuses unknown settings that start with SOTTO_.
    delete process.env['SOTTO_VALIDATOR']
    known = found.executable
    return known
  }
  const reasons = found.reasons.map((reason) => `\n  ${reason}`).join('')
  throw new Error(
    `there is no ${EXECUTABLE} ${VERSION} here${reasons}\n` +
      'npm run validator -- --build-only builds it once; or name an executable in SOTTO_VALIDATOR',
  )
}

/**
 * Starts a validator for one run, in a folder that `stop` removes. `more` are additional arguments. @throws Error if no
 * validator is installed, or if `startValidator` fails.
 */
export async function openValidator(
  shreds = SHREDS,
  isBare = false,
  more: readonly string[] = [],
): Promise<RunningValidator> {
  const executable = await installedValidator()
  const folder = await mkdtemp(join(tmpdir(), 'sotto-validator-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const firstPort = await freeRange()
    const given = { executable, folder, firstPort, shreds, isBare, more }
    const validator = await startValidator({ ...given, isTemporary: true })
    const stop = async () => {
      await validator.stop()
      await remove()
    }
    return { ...validator, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
