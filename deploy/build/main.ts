// `npm run build`: writes the deployable service to dist/service, or to the given folder.
import path from 'node:path'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { buildService } from './build-service.ts'

const folder = path.resolve(process.argv[2] ?? path.join(repositoryRoot, 'dist/service'))
const imported = await buildService(folder)
console.log(`built ${path.relative(process.cwd(), folder) || '.'}`)
console.log(`it imports ${imported.join(', ')}`)
