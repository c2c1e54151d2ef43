import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The first Chromium on the PATH. Debian's package chromium-headless-shell contains one. */
export function findBrowser(path = process.env['PATH'] ?? ''): string | undefined {
  const candidates = path
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
