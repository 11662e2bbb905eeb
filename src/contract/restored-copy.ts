/** Why nothing leaves a restored installation, for everyone who waits for something. */
export const RESTORED_COPY =
  'This installation is a restored copy. It sends and fetches nothing until an operator says that it is the real one.'
/** The status of what waits for that. */
export const WAITS_IN_COPY = 'Waits (copy)'
