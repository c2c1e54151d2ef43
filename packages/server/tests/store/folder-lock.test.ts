import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { FolderInUseError, lockFolder } from '../../src/adapters/store/folder-lock.ts'

const LOCK = fileURLToPath(new URL('../../src/adapters/store/folder-lock.ts', import.meta.url))

async function lockInOtherProcess(folder: string) {
  const script = `import { lockFolder } from ${JSON.stringify(LOCK)}
    await lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000)`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

const folder = () => mkdtemp(join(tmpdir(), 'sotto-lock-'))

it('refuses a folder that another living process has open, and takes it over once that was killed', async () => {
  const path = await folder()
  const other = await lockInOtherProcess(path)
  await expect(lockFolder(path)).rejects.toThrow(`open in process ${other.pid}`)
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
  const unlock = await lockFolder(path)
  await unlock()
})

it('refuses a second opening within one process', async () => {
  const path = await folder()
  const unlock = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toBeInstanceOf(FolderInUseError)
  await unlock()
  await (
    await lockFolder(path)
  )()
})

it('takes over the lock of a dead process whose id was given to another one', async () => {
  const path = await folder()
  await writeFile(join(path, 'lock'), `${process.pid} 1`)
  const unlock = await lockFolder(path)
  expect(await readFile(join(path, 'lock'), 'utf8')).not.toBe(`${process.pid} 1`)
  await unlock()
})

it('takes over a lock that was damaged', async () => {
  const path = await folder()
  await writeFile(join(path, 'lock'), '')
  await (
    await lockFolder(path)
  )()
})
