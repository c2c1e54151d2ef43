import { readFile } from 'node:fs/promises'

/** Gives a secret as it is now. */
export type SecretSource = () => Promise<string>

/** What a file holds at the moment, where the secret came from one: an agent may have replaced it. */
export function secretSource(value: string, path: string | undefined): SecretSource {
  return async () => (path === undefined ? value : (await readFile(path, 'utf8')).trim())
}
