// `npm run pack`: writes the tarballs of all published packages to dist/packages, or to the folder given as argument.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { buildPackages, packFolders } from './pack.ts'

const target = path.resolve(process.argv[2] ?? path.join(repositoryRoot, 'dist/packages'))
await mkdir(target, { recursive: true })
const built = await mkdtemp(path.join(tmpdir(), 'sotto-packages-'))
try {
  for (const { filename, size } of await packFolders(await buildPackages(built), target)) {
    console.log(`${filename}  ${Math.ceil(size / 1_024)} KB`)
  }
} finally {
  await rm(built, { recursive: true, force: true })
}
