import { build, type Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'

export interface BundleOptions {
  /** The main modules. Each key is the name of the file to write for a module, without extension. */
  readonly entries: Readonly<Record<string, string>>
  /** The folder for the written files. */
  readonly folder: string
  /**
   * For a file that the bundled code opens: returns the JavaScript expression of the file's URL. The argument is the
   * file's path in the repository.
   */
  readonly urlOf: (file: string) => string
  /** Code that replaces modules. The keys are the modules' paths from the repository's root. */
  readonly replaced?: Readonly<Record<string, string>>
  /** True to write code that is loaded on demand into separate files. Otherwise each main module becomes one file. */
  readonly splitting?: boolean
}

/**
 * Bundles programs. Our own packages are included, and packages from npm stay imports.
 *
 * @returns the names of the npm packages that the files import.
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

/** The name of the package in an import such as `@scope/name/file`. */
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

/** Replaces modules, and replaces the URLs of files that modules open. */
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
