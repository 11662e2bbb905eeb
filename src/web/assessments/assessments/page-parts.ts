/** The parts of the page in the URL. Without schemas, because routes load first. */
export const TAB_IDS = ['board', 'results', 'actions', 'people', 'setup'] as const
export const STEP_IDS = ['details', 'targets', 'people', 'open'] as const
