import path from 'path'
import { fileURLToPath } from 'url'

/** The repository's root, independent of the working folder. */
export const repositoryRoot = path.resolve(fileURLToPath(import.meta.url), '../../..')
