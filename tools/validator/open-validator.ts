import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXECUTABLE, findValidator, VERSION } from './find-validator.ts'
import { SHREDS, startValidator, type RunningValidator } from './start-validator.ts'
import { freeRange } from './validator-ports.ts'

/** The installed validator. @throws Error with the command that builds it, if there is none. */
export async function installedValidator(): Promise<string> {
  const found = await findValidator()
  if ('executable' in found) return found.executable
  const reasons = found.reasons.map((reason) => `\n  ${reason}`).join('')
  throw new Error(
    `there is no ${EXECUTABLE} ${VERSION} here${reasons}\n` +
      'npm run validator -- --build-only builds it once; SOTTO_VALIDATOR may name one',
  )
}

/** Starts a validator for one run, in a folder that `stop` removes. @throws Error as `startValidator` does. */
export async function openValidator(shreds = SHREDS): Promise<RunningValidator> {
  const executable = await installedValidator()
  const folder = await mkdtemp(join(tmpdir(), 'sotto-validator-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const firstPort = await freeRange()
    const validator = await startValidator({ executable, folder, firstPort, shreds })
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
