/**
 * The command with which a user starts the local service in a checkout. The published package has another command.
 */
export const START_COMMAND = 'npm start --'
