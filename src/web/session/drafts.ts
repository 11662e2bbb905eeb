/** What holds changes that nobody saved yet; one entry a form. */
export const drafts = new Set<symbol>()
