import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { writeContents } from './packages.ts'

it('leaves out temporary files of a killed build', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sotto-contents-'))
  try {
    const built = path.join(folder, 'built')
    await mkdir(path.join(built, 'send'), { recursive: true })
    for (const name of ['send.js', 'send.js.part-4711', 'part-1.js']) {
      await writeFile(path.join(built, 'send', name), '')
    }
    const one = { description: '', source: '', bin: {}, exports: [], resolved: [] }
    const copied = { [path.relative(repositoryRoot, built)]: 'web' }
    await writeContents({ ...one, copied }, path.join(folder, 'package'))
    const written = await readdir(path.join(folder, 'package/web/send'))
    expect(written.sort()).toEqual(['part-1.js', 'send.js'])
  } finally {
    await rm(folder, { recursive: true })
  }
})
