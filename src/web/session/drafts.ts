/** Forms with unsaved changes, one entry per form. */
export const drafts = new Set<symbol>()
