import { CliError } from '../../cli-error.ts'
import { EXIT } from '../../exit-codes.ts'
import { readIfThere } from '../../settings/owned-file.ts'

/** The text of a list file. @throws CliError if the file doesn't exist. */
export async function readListFile(file: string): Promise<string> {
  const text = await readIfThere(file)
  if (text !== undefined) return text
  const next = 'give a file with the columns recipient and amount'
  throw new CliError(EXIT.usage, 'LIST_MISSING', `there is no list at ${file}`, next)
}
