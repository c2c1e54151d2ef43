import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BuilderName, Toolchain } from './builders.ts'

/** A build's hash, and its exact toolchain. */
export interface RecordedBuild {
  readonly toolchain: Toolchain
  readonly sha256: string
}

/** The recorded builds. A builder without a recorded build has no entry. */
export type RecordedBuilds = Readonly<Partial<Record<BuilderName, RecordedBuild>>>

const FILE = fileURLToPath(new URL('../builds.json', import.meta.url))

export function readRecordedBuilds(): RecordedBuilds {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as RecordedBuilds) : {}
}

/** Records a build. It replaces the builder's previous record. */
export function recordBuild(name: BuilderName, build: RecordedBuild): void {
  const builds = { ...readRecordedBuilds(), [name]: build }
  writeFileSync(FILE, `${JSON.stringify(builds, null, 2)}\n`)
}

export const sha256Of = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')
