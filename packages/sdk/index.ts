export * from './server.ts'
export * from './wallet.ts'
