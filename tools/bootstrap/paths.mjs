import path from 'path'
import { fileURLToPath } from 'url'

/** The repository's root, wherever the command was started from. */
export const repositoryRoot = path.resolve(fileURLToPath(import.meta.url), '../../..')
