import { build, type Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { PLACES, SERVER_FILE } from './places.ts'

/**
 * Bundles the service into one JavaScript file under `folder`, without packages from npm.
 *
 * @returns the packages from npm that it imports.
 */
export async function bundleServer(folder: string): Promise<string[]> {
  const result = await build({
    entryPoints: [path.join(repositoryRoot, 'packages/server/src/main.ts')],
    outfile: path.join(folder, SERVER_FILE),
    absWorkingDir: repositoryRoot,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    metafile: true,
    logLevel: 'error',
    plugins: [onlyOurs, placed],
  })
  const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports)
  const names = imports
    .map((one) => packageOf(one.path))
    .filter((name) => !name.startsWith('node:'))
  return [...new Set(names)].sort()
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Bundles our own packages and keeps third-party packages as imports. */
const onlyOurs: Plugin = {
  name: 'only-ours',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path: name, kind }) =>
      kind === 'entry-point' || name.startsWith('@sotto/')
        ? undefined
        : { path: name, external: true },
    )
  },
}

const OPENED = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g

/** Replaces the code's file paths with the paths in the built folder. */
const placed: Plugin = {
  name: 'placed',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.m?[jt]s$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8')
      const contents = text.replaceAll(OPENED, (_, named: string) => {
        const place = placeOf(path.resolve(path.dirname(file), named))
        return `new URL(${JSON.stringify(place)}, import.meta.url)`
      })
      return { contents, loader: file.endsWith('ts') ? 'ts' : 'js' }
    })
  },
}

/** The path relative to the server's file. @throws Error for a file that the built folder has no place for. */
function placeOf(file: string): string {
  const name = path.relative(repositoryRoot, file)
  const place = PLACES[name]
  if (place === undefined) {
    throw new Error(`the service opens ${name}, which deploy/build/places.ts does not list`)
  }
  const relative = path.posix.relative(path.posix.dirname(SERVER_FILE), place)
  return relative.startsWith('.') ? relative : `./${relative}`
}
