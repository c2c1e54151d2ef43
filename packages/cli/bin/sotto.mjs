#!/usr/bin/env node
// From a checkout the sources run through tsx, on every Node that the repository supports.
import { register } from 'tsx/esm/api'

register()
await import('../src/main.ts')
