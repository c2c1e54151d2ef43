export * from './src/deposit-history.ts'
export * from './src/locate-note.ts'
export * from './src/program-facts.ts'
export * from './src/settle-note.ts'
