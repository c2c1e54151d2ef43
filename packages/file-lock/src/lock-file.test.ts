import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { FileLockedError, lockFile } from './lock-file.ts'

const MODULE = JSON.stringify(fileURLToPath(new URL('./lock-file.ts', import.meta.url)))
/** A program that locks the file given as its argument, prints its process id and keeps the lock. */
const HOLDER = `import { lockFile } from ${MODULE}
  lockFile(process.argv[1]); console.log(process.pid); setInterval(() => {}, 1000)`
const nodeArgs = (script: string) => ['--import', 'tsx', '--input-type=module', '-e', script]

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Takes the lock as soon as it is released. The test's timeout limits the wait. */
async function whenFree(path: string): Promise<() => void> {
  for (;;) {
    try {
      return lockFile(path)
    } catch (error) {
      if (!(error instanceof FileLockedError)) throw error
      await sleep(10)
    }
  }
}

const newPath = () => join(mkdtempSync(join(tmpdir(), 'sotto-file-lock-')), 'lock')

function start(file: string, args: readonly string[]) {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the process ended without a line')
    return value
  }
  return { child, nextLine }
}

async function startHolder(path: string) {
  const { child, nextLine } = start(process.execPath, [...nodeArgs(HOLDER), path])
  return { child, pid: await nextLine() }
}

function expectHeld(path: string, holder: string): void {
  let found: unknown
  try {
    lockFile(path)
  } catch (error) {
    found = error
  }
  expect(found).toBeInstanceOf(FileLockedError)
  expect(found).toMatchObject({ holder })
}

it('a lock is free as soon as its holder is killed', async () => {
  const path = newPath()
  const { child, pid } = await startHolder(path)
  expectHeld(path, pid)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(readFileSync(path, 'utf8')).toBe(pid)
  lockFile(path)()
  expect(existsSync(path)).toBe(false)
})

it('a zombie process holds no lock', async () => {
  const path = newPath()
  const script = `"$0" "$@" & exec sleep 1000`
  // The shell replaces itself with a program that never waits for its child, so a killed child stays a zombie.
  const args = ['-c', script, process.execPath, ...nodeArgs(HOLDER), path]
  const pid = await start('sh', args).nextLine()
  expectHeld(path, pid)
  process.kill(JSON.parse(pid) as number, 'SIGKILL')
  const stateOf = () => execFileSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' })
  while (!stateOf().startsWith('Z')) await sleep(10)
  // The zombie's other threads close the file a moment after its first thread has ended.
  const release = await whenFree(path)
  release()
  expect(stateOf()).toMatch(/^Z/)
})

it('a lock file is free even if it contains the id of a living process', () => {
  const path = newPath()
  writeFileSync(path, `${process.pid}`)
  const unlock = lockFile(path)
  expectHeld(path, `${process.pid}`)
  unlock()
  unlock()
  lockFile(path)()
})

it('a suspended process keeps its lock', async () => {
  const path = newPath()
  const { child, pid } = await startHolder(path)
  child.kill('SIGSTOP')
  for (const seconds of [0, 4_000_000_000]) {
    utimesSync(path, seconds, seconds)
    expectHeld(path, pid)
  }
})

it('only one process at a time gets the lock of a killed process', async () => {
  const path = newPath()
  const racer = `import { lockFile } from ${MODULE}
      import { closeSync, openSync, rmSync } from 'node:fs'
      import { createInterface } from 'node:readline'
      const path = process.argv[1]
      console.log('ready')
      createInterface({ input: process.stdin }).on('line', () => {
        let held = 0
        while (held < 300) {
          let unlock
          try { unlock = lockFile(path) } catch (error) {
            if (error.name !== 'FileLockedError') throw error
            continue
          }
          closeSync(openSync(path + '.only', 'wx'))
          rmSync(path + '.only')
          held += 1
          unlock()
        }
        console.log('done')
        process.exit(0)
      })`
  const { child } = await startHolder(path)
  const racers = [1, 2, 3, 4].map(() => start(process.execPath, [...nodeArgs(racer), path]))
  for (const { nextLine } of racers) expect(await nextLine()).toBe('ready')
  const killed = once(child, 'exit')
  for (const one of racers) one.child.stdin.write('go\n')
  child.kill('SIGKILL')
  await killed
  for (const { nextLine } of racers) expect(await nextLine()).toBe('done')
  expect(existsSync(path)).toBe(false)
})
