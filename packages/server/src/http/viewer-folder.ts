import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder with the viewer's files: the viewer's package from npm, or the copy that a published package contains. */
export const viewerFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
