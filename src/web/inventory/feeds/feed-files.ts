/** So many files are remembered: who works on more at a time brings one anew. */
const MOST = 8

// Of this visit alone. A file is only a way to its bytes on the person's own machine.
const files = new Map<string, File>()

/** Remembers the file of a run, so that it can be the sample of a mapping and be brought again without being chosen. */
export function rememberFile(runId: string, file: File): void {
  files.set(runId, file)
  for (const id of [...files.keys()].slice(0, -MOST)) files.delete(id)
}

/** The file of a run; null where it was brought by somebody else or in another visit. */
export function fileOf(runId: string | undefined): File | null {
  return runId === undefined ? null : (files.get(runId) ?? null)
}
