import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { buildService } from '../build/build-service.ts'
import { readFinalStage, type StageCopy } from './dockerfile.ts'
import { productionPackages } from './production-packages.ts'

const run = promisify(execFile)

/** The workspaces whose dependencies the Dockerfile installs with npm. */
const INSTALLED = ['packages/server', 'packages/prover']

/**
 * Creates the image's files in a temporary folder, as the COPY instructions of the last stage do. The folder is
 * outside of the repository, so that Node can't find the repository's files. Returns the folder's path. @throws Error
 * if a stage lacks a file.
 */
export async function layOutImage(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sotto-image-'))
  const built = path.join(folder, 'stages/build/src/dist/service')
  await buildService(built)
  await installInto(path.join(folder, 'stages/packages/src'))
  const root = path.join(folder, 'root')
  for (const copy of readFinalStage().copies) await carryOut(folder, root, copy)
  return root
}

async function carryOut(folder: string, root: string, copy: StageCopy): Promise<void> {
  const source = path.join(folder, 'stages', copy.stage, copy.source)
  if (!existsSync(source)) throw new Error(`stage ${copy.stage} has no ${copy.source}`)
  await copyTree(`${source}/.`, path.join(root, copy.target))
}

/** Copies the packages that npm would install. The copies come from the repository's node_modules. */
async function installInto(stage: string): Promise<void> {
  for (const place of productionPackages(INSTALLED)) {
    const source = path.join(repositoryRoot, place)
    // A package that is missing here is for another operating system, or is only a peer dependency.
    if (!existsSync(source)) continue
    await copyTree(`${source}/.`, path.join(stage, place))
  }
}

/**
 * Copies a folder. If source and target are on the same file system, creates hard links instead, because copying a
 * hundred megabytes takes seconds.
 */
async function copyTree(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true })
  await run('cp', ['-al', source, target]).catch(() => run('cp', ['-a', source, target]))
}
