import { type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'

const readAgain = send(feedRuns.readAgain)

/** Reads the stored file of a run again, with a different lot or mapping. `onRead` is called when the request succeeds. */
export function useReadAgain(onRead: (run: FeedRun) => void = () => {}) {
  return useMutation({
    mutationFn: readAgain,
    onSuccess: (run) => {
      queryClient.setQueryData([...keyOf(feedRuns.get), { id: run.id }], run)
      onRead(run)
    },
    onError: (failure: CallFailure, { id }) => {
      showError(failure)
      void queryClient.invalidateQueries({ queryKey: [...keyOf(feedRuns.get), { id }] })
    },
  })
}
