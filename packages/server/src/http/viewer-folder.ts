import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder with the viewer's files: its package from npm. The published package contains these files instead. */
export const viewerFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
