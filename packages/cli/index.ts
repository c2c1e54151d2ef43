export { EXIT, type ExitCode } from './src/exit-codes.ts'
