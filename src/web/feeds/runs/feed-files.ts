import { useQuery } from '@tanstack/react-query'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { download } from '#web/api/download.ts'
import { keyOf } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'

/** How many files are remembered. */
const MAX_FILES = 8

// In memory until the page is reloaded. A File is only a handle to a file on the user's computer.
const files = new Map<string, File>()

/** Remembers the file of a run, so that it can be used as a mapping sample without downloading it. */
export function rememberFile(runId: string, file: File): void {
  files.set(runId, file)
  for (const id of [...files.keys()].slice(0, -MAX_FILES)) files.delete(id)
}

/** The file of a run; null if it was not uploaded in this tab since the last reload. */
export function fileOf(runId: string | undefined): File | null {
  return runId === undefined ? null : (files.get(runId) ?? null)
}

const IMPORT = permissionsFor(feedRuns.sample.allow)

/**
 * The sample for a mapping opened from a run: the remembered file, or else the stored beginning of it. Those who only read
 * feeds get none.
 */
export function useSampleOf(runId: string | undefined): { initial: File | null; isLoading: boolean } {
  const file = fileOf(runId)
  const holds = useHolds()
  const isNeeded = runId !== undefined && file === null && IMPORT.some((one) => holds(one) === true)
  const { data = null, isPending } = useQuery({
    queryKey: [...keyOf(feedRuns.sample), { id: runId ?? '' }],
    queryFn: ({ signal }) => download(feedRuns.sample, { id: runId ?? '' }, { signal, onBytes: () => {} }),
    enabled: isNeeded,
    // If the file is no longer stored, the user chooses it by hand.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { initial: file ?? data, isLoading: isNeeded && isPending }
}
