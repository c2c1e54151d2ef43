/** The service as a program is `sotto-server` (src/main.ts); these parts serve tools and tests. */
export { ConfigError, readConfig, type Config, type Role } from './src/config.ts'
export { serve, type RunningService } from './src/start/serve.ts'
