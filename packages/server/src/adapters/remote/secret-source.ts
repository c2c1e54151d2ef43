import { readFile } from 'node:fs/promises'

/** Returns a secret's current value. */
export type SecretSource = () => Promise<string>

/**
 * A source of a secret's value. If the secret came from a file, the file is read each time, because a secrets agent may
 * have replaced the file.
 */
export function secretSource(value: string, path: string | undefined): SecretSource {
  return async () => (path === undefined ? value : (await readFile(path, 'utf8')).trim())
}
