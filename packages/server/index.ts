/** The service itself is the program `sotto-server` (src/main.ts). These exports are for tools and tests. */
export { ConfigError, readConfig, type Config, type Role } from './src/config.ts'
export { serve, type RunningService } from './src/start/serve.ts'
