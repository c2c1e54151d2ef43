import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.ts'

/**
 * The packages that made the committed program, with their revisions. The revisions matter: the program contains the
 * compiled standard library, and a different revision of a compiler may give different bytes.
 */
export const DEBIAN_PACKAGES = {
  'rustc-web': '1.96.0+dfsg1-1~deb12u2',
  'libstd-rust-web-1.96': '1.96.0+dfsg1-1~deb12u2',
  'cargo-web': '1.96.0+dfsg1-1~deb12u2',
  'rust-web-src': '1.96.0+dfsg1-1~deb12u2',
  'llvm-22-dev': '1:22.1.8-1~deb12u1',
} as const

/**
 * A day on which Debian's archive had all these packages. The newest of these packages was uploaded on 17 August 2026.
 * The archive itself removes superseded versions, but snapshot.debian.org keeps the archive of every day.
 */
export const SNAPSHOT = '20261101T000000Z'

/** The arguments for apt, with the exact version of each package. */
export const pinnedPackages = (): string[] =>
  Object.entries(DEBIAN_PACKAGES).map(([name, version]) => `${name}=${version}`)

/** apt sources that still have the pinned versions. apt checks their signatures with this machine's keys. */
export function snapshotSources(): string {
  const from = (archive: string, suite: string) =>
    `deb http://snapshot.debian.org/archive/${archive}/${SNAPSHOT} ${suite} main\n`
  return from('debian', 'bookworm') + from('debian-security', 'bookworm-security')
}

/** The installed version of a package; undefined if it isn't installed. */
export function installedVersion(name: keyof typeof DEBIAN_PACKAGES): string | undefined {
  const { found, code, output } = run('dpkg-query', ['-W', '-f=${Version}', name])
  return found && code === 0 && output !== '' ? output : undefined
}

/**
 * Installs the pinned packages from this machine's own archives or, if a package is missing there, from Debian's
 * snapshot. Returns false if both fail. Shows the output of apt.
 */
export function installPackages(): boolean {
  console.error(`Installing ${pinnedPackages().join(', ')}.`)
  if (apt([])) return true
  console.error(`Trying snapshot.debian.org as of ${SNAPSHOT}.`)
  const folder = mkdtempSync(join(tmpdir(), 'sotto-apt-'))
  try {
    const file = join(folder, 'snapshot.list')
    writeFileSync(file, snapshotSources())
    return apt([
      ...['-o', `Dir::Etc::SourceList=${file}`, '-o', 'Dir::Etc::SourceParts=-'],
      // The signature of an old snapshot has expired, so apt ignores the expiry here. It still checks the signer.
      ...['-o', 'Acquire::Check-Valid-Until=false'],
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function apt(options: readonly string[]): boolean {
  const step = (...args: string[]) => run('apt-get', [...options, ...args], { isShown: true }).code
  const install = ['install', '-y', '--no-install-recommends', '--allow-downgrades']
  return step('update') === 0 && step(...install, ...pinnedPackages()) === 0
}
