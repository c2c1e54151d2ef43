import path from 'path'
import { fileURLToPath } from 'url'

/** The repository's root. It doesn't depend on the working folder. */
export const repositoryRoot = path.resolve(fileURLToPath(import.meta.url), '../../..')
