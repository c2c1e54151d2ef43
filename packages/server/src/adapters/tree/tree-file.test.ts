import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, RECENT } from '@sotto/protocol'
import fc from 'fast-check'
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readTreeFile, TreeFile } from './tree-file.ts'

const newPath = () => join(mkdtempSync(join(tmpdir(), 'sotto-tree-')), 'tree')
const leafOf = (index: number, seed = 0) => BigInt(index) * 104_729n + BigInt(seed) + 1n

function treeOf(size: number, seed = 0): MerkleTree {
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll(Array.from({ length: size }, (_, index) => leafOf(index, seed)))
  return tree
}

/** Opens a file, saves a tree and closes the file. Returns the tree that the file contained before. */
async function saveTo(path: string, tree: MerkleTree): Promise<MerkleTree> {
  const opened = await TreeFile.open(path)
  await opened.file.save(tree)
  await opened.file.close()
  return opened.tree
}

it('the file contains the tree without the newest leaves after any sequence of saves and starts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 4 }),
      async (steps) => {
        const path = newPath()
        const tree = treeOf(0)
        let written = 0
        for (const count of steps) {
          const from = tree.size
          tree.appendAll(Array.from({ length: count }, (_, index) => leafOf(from + index)))
          const before = await saveTo(path, tree)
          expect([before.size, before.root]).toEqual([written, treeOf(written).root])
          if (tree.size - RECENT - written >= RECENT) written = tree.size - RECENT
        }
        const kept = await readTreeFile(path)
        kept.appendAll(
          Array.from({ length: tree.size - written }, (_, index) => leafOf(written + index)),
        )
        expect([kept.size, kept.root]).toEqual([tree.size, tree.root])
        for (const index of [0, written - 1, tree.size - 1]) {
          if (index >= 0 && index < tree.size) expect(kept.path(index)).toEqual(tree.path(index))
        }
      },
    ),
    { numRuns: 6, examples: [[[0]], [[2_048, 0, 1_024]]] },
  )
})

it('the file continues from its last valid record after a crash or damage at any byte', async () => {
  const path = newPath()
  await saveTo(path, treeOf(2_500))
  const first = statSync(path).size
  await saveTo(path, treeOf(5_000))
  const whole = readFileSync(path)
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: whole.length - 1 }),
      fc.boolean(),
      async (at, isCut) => {
        const copy = newPath()
        writeFileSync(copy, whole)
        if (isCut) truncateSync(copy, at)
        else writeFileSync(copy, Buffer.concat([whole.subarray(0, at), flipped(whole, at)]))
        const size = at < first ? 0 : 2_500 - RECENT
        const kept = await saveTo(copy, treeOf(6_000))
        expect([kept.size, kept.root]).toEqual([size, treeOf(size).root])
        expect((await readTreeFile(copy)).root).toBe(treeOf(6_000 - RECENT).root)
      },
    ),
    { numRuns: 6 },
  )
})

/** Returns the bytes starting at an index, with one bit of the first byte changed. */
function flipped(bytes: Buffer, at: number): Buffer {
  const rest = Buffer.from(bytes.subarray(at))
  rest[0] = (rest[0] ?? 0) ^ 1
  return rest
}

it('the file is written again from its start if its leaves have changed or the tree became shorter', async () => {
  const path = newPath()
  const { file } = await TreeFile.open(path)
  await file.save(treeOf(6_000))
  await file.save(treeOf(6_000, 3))
  expect((await readTreeFile(path)).root).toBe(treeOf(6_000 - RECENT, 3).root)
  await file.save(treeOf(3_000, 3))
  expect((await readTreeFile(path)).root).toBe(treeOf(3_000 - RECENT, 3).root)
  await file.close()
})

it('a save writes only new leaves, and only if there are enough of them', async () => {
  const path = newPath()
  const { file } = await TreeFile.open(path)
  await file.save(treeOf(8_000))
  const { size } = statSync(path)
  const before = readFileSync(path)
  await file.save(treeOf(8_000 + RECENT - 1))
  expect(statSync(path).size).toBe(size)
  await file.save(treeOf(8_000 + RECENT))
  await file.close()
  expect(readFileSync(path).subarray(0, size).equals(before)).toBe(true)
  expect(statSync(path).size).toBeGreaterThan(size)
})

it('the file is complete even if each write stores only some of its bytes', async () => {
  const path = newPath()
  const { file } = await TreeFile.open(path)
  const handle = await open(path)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const write = prototype.write as (...given: unknown[]) => Promise<unknown>
  const short = vi.spyOn(prototype, 'write').mockImplementation(function (
    this: FileHandle,
    bytes: unknown,
    from: unknown,
    length: unknown,
    at: unknown,
  ) {
    return Reflect.apply(write, this, [bytes, from, Math.ceil(Number(length) / 2), at])
  } as typeof prototype.write)
  try {
    await file.save(treeOf(3_000))
    expect(short.mock.calls.length).toBeGreaterThan(2)
  } finally {
    short.mockRestore()
  }
  await file.close()
  expect((await readTreeFile(path)).root).toBe(treeOf(3_000 - RECENT).root)
})

it('the file can be read while another process writes it', async () => {
  const path = newPath()
  const { file } = await TreeFile.open(path)
  const reads: Promise<MerkleTree>[] = []
  for (const size of [3_000, 5_000, 7_000]) {
    const saved = file.save(treeOf(size))
    reads.push(readTreeFile(path))
    await saved
  }
  for (const tree of await Promise.all(reads)) expect(tree.root).toBe(treeOf(tree.size).root)
  await file.close()
})

it('the file counts as empty if it has another format or is missing', async () => {
  const path = newPath()
  const other = newPath()
  await saveTo(path, treeOf(3_000))
  copyFileSync(path, other)
  const bytes = readFileSync(other)
  bytes.write('sotto tree 2\n')
  writeFileSync(other, bytes)
  expect((await readTreeFile(other)).size).toBe(0)
  expect((await readTreeFile(`${other}-absent`)).size).toBe(0)
})
