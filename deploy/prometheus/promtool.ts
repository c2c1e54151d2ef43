import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { stringify } from 'yaml'

export const RULES = fileURLToPath(new URL('./alerts.yaml', import.meta.url))

const run = promisify(execFile)
/** A developer's machine may lack promtool. In CI, a missing promtool is a failure. */
export const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
)

/** Runs promtool in the folder of the rules. @throws Error with its output if promtool reports a failure. */
export async function promtool(...args: readonly string[]): Promise<void> {
  if (!hasPromtool) throw new Error('promtool is not installed: apt-get install prometheus')
  await run('promtool', [...args], { cwd: fileURLToPath(new URL('.', import.meta.url)) })
}

/** Runs tests of the rules. @throws Error with promtool's output if a test fails. */
export async function testRules(tests: readonly object[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-rules-'))
  const file = join(folder, 'rules.test.yaml')
  await writeFile(
    file,
    stringify({ rule_files: [RULES], evaluation_interval: '15s', tests }, { lineWidth: 0 }),
  )
  try {
    await promtool('test', 'rules', file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
