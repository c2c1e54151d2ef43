import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const url = (relative: string) => JSON.stringify(new URL(relative, import.meta.url).href)

it('a run that missed a bar fails, also where it started a PostgreSQL', () => {
  const program = `
    await import(${url('../packages/server/tests/start-postgres.ts')})
    const { endProcess } = await import(${url('./end-process.ts')})
    process.stdout.write('the lines\\n')
    endProcess(1)`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const ended = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  expect([ended.status, ended.stdout]).toEqual([1, 'the lines\n'])
}, 60_000)
