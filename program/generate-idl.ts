/** Writes program/idl.json, the program's interface in Codama's format. Run it with tsx. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { formatted } from '../tools/formatted.ts'
import { idl } from './idl/root.ts'

const file = fileURLToPath(new URL('idl.json', import.meta.url))
writeFileSync(file, await formatted('idl.json', JSON.stringify(idl())))
