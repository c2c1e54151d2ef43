import { build, type Plugin } from 'esbuild'
import path from 'node:path'
import { bundledPackages, licencesText, packageLicences } from '../../packages/web/index.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { sdkRoot, SURFACES } from './surfaces.ts'

/** Packages that stay imports. So a partner's project has only one copy of each. */
const NOT_OURS = ['@noble/*', 'poseidon-lite', 'poseidon-lite/*', 'fs-native-extensions']
/** Built-in modules of Node. Only one entry point imports them. */
const OF_NODE = 'node:*'

/**
 * The clients of Solana's programs are bundled, because each of their versions requires one major version of kit. The
 * SDK uses only three of their addresses. With this plugin, the bundler removes the clients' unused imports from kit,
 * because older versions of kit lack some of the imported names.
 */
const kitWithoutSideEffects: Plugin = {
  name: 'kit-without-side-effects',
  setup: (build) => {
    build.onResolve({ filter: /^@solana\// }, ({ path: name }) => {
      return { path: name, external: true, sideEffects: false }
    })
  },
}

/**
 * Writes the JavaScript files. The packages contract, protocol and recovery are bundled. Code that several entry points
 * use is in separate files. So a class is the same object in every entry point.
 *
 * @returns the names of the packages that the JavaScript imports, and the licence terms of the packages whose code it
 *   contains.
 */
export async function bundle(
  folder: string,
): Promise<{ readonly imported: string[]; readonly licences: string }> {
  const result = await build({
    entryPoints: Object.values(SURFACES).map((name) => path.join(sdkRoot, `${name}.ts`)),
    outdir: folder,
    absWorkingDir: sdkRoot,
    bundle: true,
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: [...NOT_OURS, OF_NODE],
    plugins: [kitWithoutSideEffects],
    // Removes unused imports together with their names.
    minifySyntax: true,
    // Removes the texts of errors that are thrown only in development.
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  })
  const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports)
  const foreign = imports.filter(({ external, path }) => external && !path.startsWith('node:'))
  const names = foreign.map((one) => packageOf(one.path))
  // The bundler reports paths relative to the SDK's folder.
  const inside = bundledPackages(result.metafile).map((one) =>
    path.relative(repositoryRoot, path.resolve(sdkRoot, one)),
  )
  return {
    imported: [...new Set(names)].sort(),
    licences: licencesText(await packageLicences(repositoryRoot, inside)),
  }
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
