import path from 'node:path'
import ts from 'typescript'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import type { Manifest } from './kubernetes-files.ts'

/**
 * Checks manifests against the types of the cluster's API. Returns members that are unknown, missing or of the wrong
 * type. The check compiles the manifests as object literals, because the compiler reports unknown members only in
 * literals.
 */
export function typeProblems(manifests: readonly Manifest[]): string[] {
  const name = path.join(repositoryRoot, 'deploy/tests/manifests-as-written.ts')
  const text = manifests.map(declare).join('')
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (file) => file === name || fileExists(file)
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2022)
      : getSourceFile(file, ...rest)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

function declare({ file: _, ...manifest }: Manifest, index: number): string {
  const { apiVersion, kind } = manifest
  const group = apiVersion.includes('/')
    ? apiVersion.replace('.k8s.io/', '/')
    : `core/${apiVersion}`
  return `import type { ${kind} as Kind${index} } from 'kubernetes-types/${group}'
export const manifest${index}: Kind${index} = ${JSON.stringify(manifest)}
`
}
