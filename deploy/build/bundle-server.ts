import path from 'node:path'
import { bundleProgram } from '../../tools/release/bundle-program.ts'
import { PLACES, SERVER_FILE } from './places.ts'

/**
 * Bundles the service into one JavaScript file under `folder`. Packages from npm stay imports.
 *
 * @returns the names of the npm packages that the file imports.
 */
export const bundleServer = (folder: string): Promise<string[]> =>
  bundleProgram({
    entries: { [path.posix.basename(SERVER_FILE, '.mjs')]: 'packages/server/src/main.ts' },
    folder: path.join(folder, path.posix.dirname(SERVER_FILE)),
    urlOf,
  })

/** The URL of a file, relative to the server's file. @throws Error if the file has no place in the built folder. */
function urlOf(file: string): string {
  const place = PLACES[file]
  if (place === undefined) {
    throw new Error(`the service opens ${file}, which deploy/build/places.ts does not list`)
  }
  const relative = path.posix.relative(path.posix.dirname(SERVER_FILE), place)
  const named = relative.startsWith('.') ? relative : `./${relative}`
  return `new URL(${JSON.stringify(named)}, import.meta.url)`
}
