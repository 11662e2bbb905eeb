import { useQuery } from '@tanstack/react-query'
import { feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { download } from '#web/api/download.ts'
import { keyOf } from '#web/api/query.ts'

/** So many files are remembered: who works on more at a time brings one anew. */
const MOST = 8

// Of this visit alone. A file is only a way to its bytes on the person's own machine.
const files = new Map<string, File>()

/** Remembers the file of a run, so that it can be the sample of a mapping without being fetched. */
export function rememberFile(runId: string, file: File): void {
  files.set(runId, file)
  for (const id of [...files.keys()].slice(0, -MOST)) files.delete(id)
}

/** The file of a run; null where it was brought by somebody else or in another visit. */
export function fileOf(runId: string | undefined): File | null {
  return runId === undefined ? null : (files.get(runId) ?? null)
}

/** What a mapping is tried with: the file of the run that led to it, else the beginning of it that is kept. */
export function useSampleOf(runId: string | undefined): { begin: File | null; isComing: boolean } {
  const file = fileOf(runId)
  const isWanted = runId !== undefined && file === null
  const { data = null, isPending } = useQuery({
    queryKey: [...keyOf(feedRuns.sample), { id: runId ?? '' }],
    queryFn: ({ signal }) => download(feedRuns.sample, { id: runId ?? '' }, { signal, onBytes: () => {} }),
    enabled: isWanted,
    // One that is not kept any more is chosen by hand.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { begin: file ?? data, isComing: isWanted && isPending }
}
