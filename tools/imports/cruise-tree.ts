import path from 'node:path'
import { createRequire } from 'node:module'
import { cruise } from 'dependency-cruiser'
import type { ICruiseOptions, ICruiseResult, IFlattenedRuleSet } from 'dependency-cruiser'
import { repositoryRoot } from '../bootstrap/paths.mjs'

type Configuration = IFlattenedRuleSet & { options: ICruiseOptions }
const configuration = createRequire(import.meta.url)(
  path.join(repositoryRoot, '.dependency-cruiser.cjs'),
) as Configuration

export type Violation = { rule: string; from: string; to: string }
export type Cruise = { modules: string[]; violations: Violation[] }

/** The name of every import rule, with its reason. */
export const importRules = (configuration.forbidden ?? []).map((rule) => ({
  name: rule.name ?? 'unnamed',
  reason: rule.comment ?? '',
}))

/** Follows the imports of all files under `folders`, which are inside `root`, and applies the import rules. */
export async function cruiseTree(root: string, folders: string[]): Promise<Cruise> {
  const { options, ...ruleSet } = configuration
  // The folders must be relative to `baseDir`, because the patterns in the rules match relative paths.
  const { output } = await cruise(folders, {
    ...options,
    ruleSet,
    validate: true,
    baseDir: root,
  })
  const { modules, summary } = output as ICruiseResult
  return {
    modules: modules.map((module) => module.source),
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  }
}
