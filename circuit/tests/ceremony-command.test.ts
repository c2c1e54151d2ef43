import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { makeFolder, removeFolders } from './temporary-folders.ts'

const COMMAND = fileURLToPath(new URL('../ceremony.ts', import.meta.url))

/** Runs the command without a terminal. */
function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', COMMAND, ...words],
    { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' },
  )
  return { status, stdout, stderr }
}

afterAll(removeFolders)

test('the ceremony’s command shows its usage, and names a wrong option without a stack', () => {
  const help = run('--help')
  expect(help).toMatchObject({ status: 0, stderr: '' })
  for (const name of ['start', 'contribute', 'beacon', 'prepare', 'verify', 'finalise']) {
    expect(help.stdout).toContain(`npx tsx circuit/ceremony.ts ${name} `)
  }
  const wrong = run('verify', '--fodler', 'x')
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toMatch(/^ceremony: Unknown option '--fodler'.*\n$/)
})

test('a contribution without the participant’s own entropy is refused, and makes no key', async () => {
  const folder = await makeFolder('no-entropy')
  const identity = join(folder, 'ada.pem')
  const contribute = ['contribute', '--folder', folder, '--name', 'Ada', '--identity', identity]
  const refused = run(...contribute)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^ceremony: .*terminal.*--entropy FILE.*\n$/)
  const empty = join(folder, 'empty')
  await writeFile(empty, '\n')
  const unmixed = run(...contribute, '--entropy', empty)
  expect(unmixed.stderr).toMatch(/^ceremony: .*at least 16 .*\n$/)
  expect(existsSync(identity)).toBe(false)
})
