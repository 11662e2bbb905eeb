/** Forms with unsaved changes, one entry per form: what forgets the text that this device keeps of it. */
export const drafts = new Map<symbol, () => void>()
