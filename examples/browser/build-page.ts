import { build } from 'esbuild'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const file = (name: string) => fileURLToPath(new URL(`./page/${name}`, import.meta.url))

/** Bundles the page for browsers into a folder. */
export async function buildPage(folder: string): Promise<void> {
  await build({
    entryPoints: [file('page.ts')],
    outfile: join(folder, 'page.js'),
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  await copyFile(file('index.html'), join(folder, 'index.html'))
}
