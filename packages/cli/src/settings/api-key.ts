import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { isPrivate, readIfThere } from './owned-file.ts'
import type { Settings } from './settings.ts'

/**
 * The API key, from SOTTO_API_KEY or from a file that only its owner may read. The key is never an argument, because
 * every process on the machine can see arguments, and the shell's history stores them.
 *
 * @throws CliError if there is no key, or if others may read its file.
 */
export async function readApiKey(
  settings: Pick<Settings, 'apiKey' | 'apiKeyFile'>,
): Promise<string> {
  if (settings.apiKey !== undefined) return settings.apiKey.trim()
  const { apiKeyFile: file } = settings
  const text = (await readIfThere(file))?.trim()
  if (text === undefined || text === '') {
    throw new CliError(
      EXIT.config,
      'API_KEY_MISSING',
      'there is no API key',
      `set SOTTO_API_KEY, or write the key to ${file} with mode 0600`,
    )
  }
  if (!(await isPrivate(file))) {
    const message = `others may read the API key's file ${file}`
    throw new CliError(EXIT.config, 'API_KEY_EXPOSED', message, `run: chmod 600 ${file}`)
  }
  return text
}
