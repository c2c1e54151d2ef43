/** How a user starts the local service in a checkout. The published package has another name for it. */
export const START_COMMAND = 'npm start --'
