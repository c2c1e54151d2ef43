import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const module = JSON.stringify(new URL('./start-postgres.ts', import.meta.url).href)

it.each([0, 1])(
  'a program that can start a PostgreSQL ends with its own exit code, %s',
  (code) => {
    const program = `
    await import(${module})
    process.stdout.write('the lines\\n')
    process.exitCode = ${code}`
    const args = ['--import', 'tsx', '--input-type=module', '--eval', program]
    const cwd = fileURLToPath(new URL('../../..', import.meta.url))
    const ended = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
    expect([ended.status, ended.stdout]).toEqual([code, 'the lines\n'])
  },
  180_000,
)
