import { build, type Plugin } from 'esbuild'
import path from 'node:path'
import { sdkRoot, SURFACES } from './surfaces.ts'

/** What is not ours stays an import, so that a partner's project has one of each. */
const NOT_OURS = ['@noble/*', 'poseidon-lite', 'poseidon-lite/*']
/** What Node has; only one surface uses it. */
const OF_NODE = 'node:*'

/**
 * The program clients are bundled in: each of their versions wants one major version of kit, and all that
 * is used of them are three addresses. What else they import of kit goes, as older versions lack it.
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
 * Writes the JavaScript: contract and protocol are bundled in, and what the surfaces share stands in
 * files of its own, so that a class is the same one whichever surface it comes from.
 *
 * @returns the packages that the JavaScript imports.
 */
export async function bundle(folder: string): Promise<string[]> {
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
    // Names of an import that nobody uses go with it.
    minifySyntax: true,
    // So do the texts of errors that nobody can meet.
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  })
  const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports)
  const foreign = imports.filter(({ external, path }) => external && !path.startsWith('node:'))
  const names = foreign.map((one) => packageOf(one.path))
  return [...new Set(names)].sort()
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
