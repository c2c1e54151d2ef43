#!/usr/bin/env node
// In a checkout, tsx runs the sources, on every Node version that the repository supports.
import { register } from 'tsx/esm/api'

register()
await import('../src/main.ts')
