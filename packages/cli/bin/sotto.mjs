#!/usr/bin/env node
// In a checkout, tsx runs the sources, because some supported Node versions can't run TypeScript.
import { register } from 'tsx/esm/api'

register()
await import('../src/main.ts')
