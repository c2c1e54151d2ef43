import { build, type Plugin } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildRunbooks } from './build-runbooks.ts'
import {
  bundledPackages,
  LICENCES_FILE,
  licencesText,
  packageLicences,
} from './third-party-licences.ts'
import { writeFiles } from './write-files.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PAGES = fileURLToPath(new URL('../pages/', import.meta.url))
/** The folder from which the service serves the pages by default. */
export const BUILT_PAGES = fileURLToPath(new URL('../dist/', import.meta.url))

const ENTRIES = {
  send: ['send.tsx', 'send.css', 'test-wallet.ts'],
  console: ['console.tsx', 'console.css'],
} as const

/**
 * Bundles every page into its own folder: HTML, one style sheet, and self-contained scripts. The same sources always
 * produce the same bytes.
 */
export async function buildPages(folder = BUILT_PAGES): Promise<void> {
  const [send, console, runbooks] = await Promise.all([
    buildPage('send'),
    buildPage('console'),
    buildRunbooks(),
  ])
  await writeFiles(join(folder, 'send'), send)
  await writeFiles(join(folder, 'console'), new Map([...console, ...runbooks]))
}

async function buildPage(page: keyof typeof ENTRIES): Promise<Map<string, Uint8Array>> {
  const { outputFiles, metafile } = await build({
    entryPoints: ENTRIES[page].map((name) => join(PAGES, page, name)),
    outdir: BUILT_PAGES,
    absWorkingDir: ROOT,
    write: false,
    metafile: true,
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', platform: 'browser' },
    target: ['es2022', 'chrome110', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.__DEV__': 'false' },
    // Each page's folder has a separate file with the licences of bundled code.
    legalComments: 'none',
    logLevel: 'error',
    plugins: [withoutSchemas],
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const licences = licencesText(await packageLicences(ROOT, bundledPackages(metafile)))
  files.set(LICENCES_FILE, Buffer.from(licences))
  files.set('index.html', await readFile(join(PAGES, page, 'index.html')))
  files.set('icon.svg', await readFile(join(PAGES, 'look', 'icon.svg')))
  return files
}

/**
 * From the contract, a page needs only the texts of the errors. The contract's schemas would add a validator that is
 * larger than the page, so they are left out.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^@sotto\/contract$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === 'resolving') return undefined
      const found = await resolve(path, { resolveDir, kind, pluginData: 'resolving' })
      return { path: found.path, sideEffects: false }
    })
    onResolve(
      { filter: /^\.\/src\// },
      async ({ path, importer, resolveDir, kind, pluginData }) => {
        if (pluginData === 'resolving' || !importer.includes('packages/contract/')) return undefined
        const found = await resolve(path, { resolveDir, kind, pluginData: 'resolving' })
        return { path: found.path, sideEffects: false }
      },
    )
  },
}
