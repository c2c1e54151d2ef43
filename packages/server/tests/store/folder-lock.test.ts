import { parseWhole } from '@sotto/protocol'
import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { FolderInUseError, lockFolder } from '../../src/adapters/store/folder-lock.ts'

const LOCK = fileURLToPath(new URL('../../src/adapters/store/folder-lock.ts', import.meta.url))
const OPENER = `import { lockFolder } from ${JSON.stringify(LOCK)}
  lockFolder(process.argv[1]); console.log(process.pid); setInterval(() => {}, 1000)`
const ARGS = ['--import', 'tsx', '--input-type=module', '-e', OPENER]

const newFolder = () => mkdtemp(join(tmpdir(), 'sotto-lock-'))

it('a folder that is already open is refused', async () => {
  const folder = await newFolder()
  const unlock = lockFolder(folder)
  const refused = `open in process ${process.pid}; stop that process first, or set SOTTO_DATA`
  expect(() => lockFolder(folder)).toThrow(FolderInUseError)
  expect(() => lockFolder(folder)).toThrow(refused)
  unlock()
  lockFolder(folder)()
})

it('a folder can be opened if the process that had it open is a zombie', async () => {
  const folder = await newFolder()
  // The shell replaces itself with a program that never collects the exit status of its child.
  const script = ['-c', '"$0" "$@" & exec sleep 1000', process.execPath, ...ARGS, folder]
  const parent = spawn('sh', script, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]()
    const pid = parseWhole((await lines.next()).value as string)
    expect(() => lockFolder(folder)).toThrow(`open in process ${pid};`)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => tryLock(folder)).toBe(true)
    // The child is still a zombie: a signal to it isn't an error.
    expect(process.kill(pid, 0)).toBe(true)
  } finally {
    parent.kill('SIGKILL')
  }
})

function tryLock(folder: string): boolean {
  try {
    lockFolder(folder)()
    return true
  } catch (error) {
    if (error instanceof FolderInUseError) return false
    throw error
  }
}
