export * from './src/build-tree.ts'
export * from './src/wasm-poseidon.ts'
