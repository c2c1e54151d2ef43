export { FileLockedError, lockFile } from './src/lock-file.ts'
