import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../', import.meta.url))
const TARBALL = '/-/tarball/'

export interface InstalledRegistry {
  /** The value for npm's setting `registry`. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Folders of packages, by name and version. */
type Installed = ReadonlyMap<string, ReadonlyMap<string, string>>

/** The folder of each installed version of each package, from the lockfile. */
async function installedPackages(): Promise<Installed> {
  const text = await readFile(join(repository, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { version?: string; link?: boolean }>
  }
  const found = new Map<string, Map<string, string>>()
  for (const [path, { version, link }] of Object.entries(packages)) {
    const name = path.split('node_modules/').at(-1) ?? ''
    if (!path.includes('node_modules/') || link === true || version === undefined) continue
    const folder = join(repository, path)
    // The lockfile also lists packages for other platforms, which aren't installed.
    if (!existsSync(folder)) continue
    const versions = found.get(name) ?? new Map<string, string>()
    found.set(name, versions.set(version, folder))
  }
  return found
}

/**
 * Replaces a package's range with the installed version if exactly one version is installed. The lockfile overrides
 * some ranges, so the registry may have no version within a range.
 */
function resolved(ranges: Readonly<Record<string, string>>, installed: Installed) {
  return Object.fromEntries(
    Object.entries(ranges).map(([name, range]) => {
      const versions = [...(installed.get(name)?.keys() ?? [])]
      return [name, versions.length === 1 ? versions[0] : range]
    }),
  )
}

async function packument(url: string, name: string, installed: Installed): Promise<object> {
  const versions: Record<string, object> = {}
  const folders = installed.get(name) ?? new Map<string, string>()
  for (const [version, folder] of folders) {
    const text = await readFile(join(folder, 'package.json'), 'utf8')
    const manifest = JSON.parse(text) as { dependencies?: Record<string, string> }
    const dependencies = resolved(manifest.dependencies ?? {}, installed)
    const tarball = `${url}${TARBALL}${encodeURIComponent(name)}/${version}`
    versions[version] = { ...manifest, dependencies, dist: { tarball } }
  }
  return { name, 'dist-tags': { latest: [...folders.keys()].at(-1) }, versions }
}

/**
 * Sends a package's folder as a tarball. The top folder in the tarball has the folder's own name, because npm accepts
 * any name.
 */
function sendTarball(folder: string, response: ServerResponse): void {
  const args = ['--exclude=node_modules', '-czf', '-', '-C', dirname(folder), basename(folder)]
  const tar = spawn('tar', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  tar.stdout.pipe(response)
}

/**
 * Starts a local package registry that serves the packages that are installed in this repository. With it, `npm
 * install` works as it does for a partner, but without a network.
 */
export async function startInstalledRegistry(): Promise<InstalledRegistry> {
  const installed = await installedPackages()
  const answer = async (path: string, response: ServerResponse) => {
    const [name = '', version] = path
      .replace(TARBALL, '/')
      .slice(1)
      .split('/')
      .map(decodeURIComponent)
    const folders = installed.get(name)
    const folder = folders?.get(version ?? '')
    if (folder !== undefined) return sendTarball(folder, response)
    response.setHeader('content-type', 'application/json')
    if (folders === undefined || version !== undefined) response.statusCode = 404
    const body = folders === undefined ? {} : await packument(url, name, installed)
    response.end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response).catch((error: Error) => {
      response.statusCode = 500
      response.end(error.message)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Settings that make npm use this registry and this cache instead of the user's. */
export const npmSettings = (registry: string, cache: string): Record<string, string> => ({
  npm_config_registry: registry,
  npm_config_cache: cache,
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
})
