// `npm run build -w @sotto/sdk`: writes the package that partners install to packages/sdk/dist, or to the folder given
// as argument. `npm pack <folder>` then writes the package's tarball.
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { LICENCES_FILE } from '../../packages/web/index.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { bundle } from './bundle.ts'
import { declare } from './declarations.ts'
import { manifestFor } from './manifest.ts'
import { sdkRoot } from './surfaces.ts'

const folder = path.resolve(process.argv[2] ?? path.join(sdkRoot, 'dist'))
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const { imported, licences } = await bundle(folder)
await writeFile(path.join(folder, LICENCES_FILE), licences)
await declare(path.join(folder, 'types'))
const manifest = await manifestFor(imported)
await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
await copyFile(path.join(sdkRoot, 'README.md'), path.join(folder, 'README.md'))
await copyFile(path.join(repositoryRoot, 'LICENSE'), path.join(folder, 'LICENSE'))
console.log(`built ${path.relative(process.cwd(), folder) || '.'}`)
