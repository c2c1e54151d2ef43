export type { Localnet, LocalnetOptions } from './src/start.ts'
export { startLocalnet } from './src/start.ts'
export type { Program } from './src/chain/load-program.ts'
export { DamagedLog, DataFolderConflict, DataFolderLocked } from './src/log/log-errors.ts'
