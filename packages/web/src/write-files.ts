import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Makes a folder contain exactly these files. Other processes may use the folder at the same time. So the function
 * replaces each file atomically, doesn't touch files that are already correct, and removes only files that don't belong
 * in the folder.
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all([...files].map(([name, bytes]) => replace(join(folder, name), bytes)))
  const stale = (await readdir(folder)).filter((name) => !files.has(name) && !isPart(name))
  await Promise.all(stale.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}

const PART = /\.part-\d+$/
const isPart = (name: string): boolean => PART.test(name)

async function replace(file: string, bytes: Uint8Array): Promise<void> {
  const known = await readFile(file).catch(() => undefined)
  if (known !== undefined && known.equals(bytes)) return
  const part = `${file}.part-${process.pid}`
  await writeFile(part, bytes)
  await rename(part, file)
}
