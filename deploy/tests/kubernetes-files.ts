import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { ConfigMap } from 'kubernetes-types/core/v1.js'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

export const KUBERNETES_FOLDER = path.join(repositoryRoot, 'deploy/kubernetes')

export interface Manifest {
  readonly file: string
  readonly apiVersion: string
  readonly kind: string
  readonly metadata?: { readonly name?: string; readonly namespace?: string }
}

/** All objects in all files, including the object in kustomization.yaml. */
export function readManifests(): Manifest[] {
  const files = readdirSync(KUBERNETES_FOLDER).filter((name) => name.endsWith('.yaml'))
  return files.flatMap((file) => {
    const text = readFileSync(path.join(KUBERNETES_FOLDER, file), 'utf8')
    // YAML 1.1, because the cluster's parser reads 0440 as an octal number.
    return parseAllDocuments(text, { version: '1.1' }).map((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
      return { file, ...(document.toJS() as Omit<Manifest, 'file'>) }
    })
  })
}

/** The only object with this kind and name. */
export function manifestOf<Kind extends Deployment | Job | ConfigMap | object>(
  kind: string,
  name: string,
): Kind {
  const found = readManifests().find((one) => one.kind === kind && one.metadata?.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found as unknown as Kind
}
