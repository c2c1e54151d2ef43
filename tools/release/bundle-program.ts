import { build, type Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'

export interface BundleOptions {
  /** The main modules. The key is the name of the file that is written for a module, without its extension. */
  readonly entries: Readonly<Record<string, string>>
  /** The folder of the written files. */
  readonly folder: string
  /** Returns the expression for the URL of a file that the bundled code opens, from its path in the repository. */
  readonly urlOf: (file: string) => string
  /** Code that replaces modules, by their paths from the repository's root. */
  readonly replaced?: Readonly<Record<string, string>>
  /** True if code that is loaded later is written to separate files. Otherwise each entry is one file. */
  readonly splitting?: boolean
}

/**
 * Bundles programs with our own packages and without those from npm.
 *
 * @returns the packages from npm that the files import.
 */
export async function bundleProgram(options: BundleOptions): Promise<string[]> {
  const result = await build({
    entryPoints: Object.entries(options.entries).map(([out, file]) => ({
      in: path.join(repositoryRoot, file),
      out,
    })),
    outdir: options.folder,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    absWorkingDir: repositoryRoot,
    splitting: options.splitting === true,
    ...({ bundle: true, platform: 'node', format: 'esm', target: 'node20' } as const),
    metafile: true,
    logLevel: 'error',
    plugins: [onlyOurs, written(options)],
  })
  const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports)
  const foreign = imports.filter(({ external, path: name }) => external && !/^node:/.test(name))
  return [...new Set(foreign.map((one) => packageOf(one.path)))].sort()
}

/** The package of an import such as `@scope/name/file`. */
export const packageOf = (specifier: string): string =>
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

/** Replaces modules, and the paths of the files that modules open. */
const written = ({ urlOf, replaced = {} }: BundleOptions): Plugin => ({
  name: 'written',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.m?[jt]s$/ }, async ({ path: file }) => {
      const loader = file.endsWith('ts') ? 'ts' : 'js'
      const instead = replaced[path.relative(repositoryRoot, file)]
      if (instead !== undefined) return { contents: instead, loader }
      const text = await readFile(file, 'utf8')
      const contents = text.replaceAll(OPENED, (_, named: string) =>
        urlOf(path.relative(repositoryRoot, path.resolve(path.dirname(file), named))),
      )
      return { contents, loader }
    })
  },
})
