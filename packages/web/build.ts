// `npm run build -w @sotto/web`: writes the pages to dist.
import { buildPages } from './index.ts'

await buildPages()
