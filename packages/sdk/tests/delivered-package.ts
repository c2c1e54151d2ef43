import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  npmSettings,
  startInstalledRegistry,
} from '../../../testing/registry/installed-registry.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../../..', import.meta.url))

export interface PartnerProject {
  /** The project folder. It contains only a package.json and the files that `npm install` made. */
  readonly folder: string
  /** The folder of the package, as it was installed from its tarball. */
  readonly installed: string
  readonly remove: () => Promise<void>
}

/** Builds the package, packs it, and installs the tarball in a separate project. */
export async function installDelivered(): Promise<PartnerProject> {
  const outer = await mkdtemp(join(tmpdir(), 'sotto-partner-'))
  const built = join(outer, 'built')
  const folder = join(outer, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const registry = await startInstalledRegistry()
  const env = { ...process.env, ...npmSettings(registry.url, join(outer, 'cache')) }
  try {
    const build = join(repository, 'tools/sdk-package/main.ts')
    await run(process.execPath, ['--import', 'tsx', build, built], { cwd: repository, env })
    await run('npm', ['pack', built, '--pack-destination', outer], { cwd: outer, env })
    const tarball = (await readdir(outer)).find((name) => name.endsWith('.tgz')) ?? ''
    await run('npm', ['install', join(outer, tarball), '@solana/kit@^8'], { cwd: folder, env })
  } finally {
    await registry.stop()
  }
  return {
    folder,
    installed: join(folder, 'node_modules/@sotto/sdk'),
    remove: () => rm(outer, { recursive: true }),
  }
}
