import { readFile } from 'node:fs/promises'

/** Returns the current value of a secret. */
export type SecretSource = () => Promise<string>

/**
 * Creates the source of a secret. If the secret came from a file, the file is read each time, because another program
 * may have replaced the secret.
 */
export function secretSource(value: string, path: string | undefined): SecretSource {
  return async () => (path === undefined ? value : (await readFile(path, 'utf8')).trim())
}
