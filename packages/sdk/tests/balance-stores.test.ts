import type * as fs from 'node:fs/promises'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

/** Makes the tested code fail at the given file system call, as if its process had been killed at that point. */
const power = vi.hoisted(() => ({ calls: 0, endsAt: 0, names: [] as string[] }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  const tick = (name: string) => {
    power.calls += 1
    power.names.push(name)
    if (power.calls === power.endsAt) throw new Error(`power cut at ${name}`)
  }
  const around =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      tick(`before ${name}`)
      const result = await call(...args)
      tick(`after ${name}`)
      return result
    }
  const open = around('open', async (...args: Parameters<typeof real.open>) => {
    const handle = await real.open(...args)
    handle.sync = around('sync', handle.sync.bind(handle))
    handle.writeFile = around('writeFile', handle.writeFile.bind(handle))
    return handle
  })
  return { ...real, open, rename: around('rename', real.rename), link: around('link', real.link) }
})

// Another test file in this process may already have loaded the modules with the real file system.
vi.resetModules()
const { BalanceTakenError, memoryBalance } = await import('../src/balance/balance-store.ts')
const { fileBalance, fileTickets } = await import('../node.ts')
const { TicketHeldError } = await import('../src/tickets/ticket-store.ts')
afterAll(() => vi.resetModules())

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balance-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a balance in a file', () => {
  it('has its former or its new content after a crash at any call', async () => {
    const path = join(folder, 'crashing', 'one.balance')
    const store = fileBalance(path)
    await store.write('first', undefined)
    let points = 0
    for (let point = 1; ; point += 1) {
      Object.assign(power, { calls: 0, endsAt: point, names: [] })
      const before = await store.read()
      const written = await store.write(`text ${point}`, before).then(
        () => 'written',
        () => 'cut',
      )
      Object.assign(power, { endsAt: 0 })
      const after = await store.read()
      expect([before, `text ${point}`]).toContain(after)
      if (written === 'written') {
        expect(after).toBe(`text ${point}`)
        break
      }
      points += 1
    }
    // Each write makes six calls. It opens, writes, syncs and renames the draft, and it opens and syncs the folder.
    // There is a point before and a point after each call.
    expect(points).toBe(12)
    await store.write('last', await store.read())
    expect(await store.read()).toBe('last')
  })

  it('is on the disk before a write ends', async () => {
    const store = fileBalance(join(folder, 'ordered', 'one.balance'))
    Object.assign(power, { calls: 0, endsAt: 0, names: [] })
    await store.write('text', undefined)
    const steps = power.names.filter((name) => name.startsWith('after'))
    const order = ['open', 'writeFile', 'sync', 'rename', 'open', 'sync']
    expect(steps).toEqual(order.map((name) => `after ${name}`))
    expect(await readdir(join(folder, 'ordered'))).toEqual(['one.balance', 'one.balance.lock'])
    store.release()
    expect(await readdir(join(folder, 'ordered'))).toEqual(['one.balance'])
  })
})

describe('a ticket in a file', () => {
  it('has either no transfer id or the complete id after a crash at any call', async () => {
    const tickets = fileTickets(join(folder, 'tickets'))
    for (let point = 1; ; point += 1) {
      const order = `order-${point}`
      Object.assign(power, { calls: 0, endsAt: point, names: [] })
      const saved = await tickets.save(order, 'ticket', 'mine').then(
        () => true,
        () => false,
      )
      const { names } = power
      Object.assign(power, { endsAt: 0 })
      const isClaimed = names.includes('after link')
      const theirs = tickets.save(order, 'other', 'theirs')
      await (isClaimed ? expect(theirs).rejects.toThrow(TicketHeldError) : theirs)
      const mine = tickets.save(order, 'ticket', 'mine')
      await (isClaimed ? mine : expect(mine).rejects.toThrow(TicketHeldError))
      expect(await tickets.read(order)).toBe(isClaimed ? 'ticket' : 'other')
      if (saved) break
    }
    const steps = power.names.filter((name) => name.startsWith('after')).slice(0, 6)
    const order = ['open', 'writeFile', 'sync', 'link', 'open', 'sync']
    expect(steps).toEqual(order.map((name) => `after ${name}`))
  })
})

/** A script that writes a balance, prints `held`, and keeps the lock until it is killed. */
const HOLDER = `import { fileBalance } from ${JSON.stringify(new URL('../node.ts', import.meta.url))}
  await fileBalance(process.argv[1]).write('theirs', undefined)
  console.log('held'); setInterval(() => {}, 1000)`

describe('a balance in a file that two processes share', () => {
  it('is written by only one process until that process has ended', async () => {
    const path = join(folder, 'shared', 'one.balance')
    const args = ['--import', 'tsx', '--input-type=module', '-e', HOLDER, path]
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await once(holder.stdout, 'data')
      const store = fileBalance(path)
      const theirs = await store.read()
      expect(theirs).toBe('theirs')
      await expect(store.write('mine', theirs)).rejects.toThrow(BalanceTakenError)
      expect(await store.read()).toBe('theirs')
      const ended = once(holder, 'exit')
      holder.kill('SIGKILL')
      await ended
      await store.write('mine', theirs)
      expect(await store.read()).toBe('mine')
    } finally {
      holder.kill('SIGKILL')
    }
  })

  it('accepts only one of many simultaneous writes', async () => {
    const path = join(folder, 'raced', 'one.balance')
    const writes = [1, 2, 3, 4].map((one) => fileBalance(path).write(`text ${one}`, undefined))
    const ends = await Promise.allSettled(writes)
    expect(ends.map(({ status }) => status).sort()).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'rejected'],
    ])
  })
})

describe.each([
  ['a file', () => fileBalance(join(folder, 'taken', 'one.balance'))],
  ['memory', () => memoryBalance()],
])('a balance in %s', (_name, make) => {
  it('refuses to replace what another process has written', async () => {
    const store = make()
    expect(await store.read()).toBeUndefined()
    await store.write('one', undefined)
    await store.write('two', 'one')
    await expect(store.write('three', 'one')).rejects.toThrow(BalanceTakenError)
    await expect(store.write('three', undefined)).rejects.toThrow(BalanceTakenError)
    expect(await store.read()).toBe('two')
  })
})
