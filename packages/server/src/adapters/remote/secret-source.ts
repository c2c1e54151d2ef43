import { readFile } from 'node:fs/promises'

/** Returns a secret's current value. */
export type SecretSource = () => Promise<string>

/** Reads the secret's file each time, if it came from one, because an agent may have replaced it. */
export function secretSource(value: string, path: string | undefined): SecretSource {
  return async () => (path === undefined ? value : (await readFile(path, 'utf8')).trim())
}
