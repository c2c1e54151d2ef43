import { runTests } from './vitest.config.ts'

export default runTests('long')
