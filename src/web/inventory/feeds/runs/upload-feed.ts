import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type FeedRun, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { rememberFile } from './feed-files.ts'
import { refuseFiles } from './feed-labels.ts'

/**
 * `files`: one, or two that a mapping joins; `secondOf`: the run that waits for this file; `mappingId`: read it by this one;
 * `lotId`: where rows of no known dealer stand.
 */
type UploadResult = {
  files: readonly File[]
  secondOf?: string | undefined
  sourceId?: string
  mappingId?: string
  lotId?: string
}

export type Bringing = Readonly<{
  bring: (brought: UploadResult) => void
  /** The file on its way; null when none is. */
  file: File | null
  /** Bytes that are out. */
  sent: number
  /** Why the last ones were not taken, as a sentence. */
  problem: string | null
  stop: () => void
  dismiss: () => void
}>

const ONE_FEED = { most: 2, rule: 'A feed is one file, or two that are joined. Bring each feed by itself.' }
const SECOND = { most: 1, rule: 'This feed waits for one file. Bring it alone.' }

/** Sends a feed and opens the run that reads it. Nothing is changed until that is applied. */
export function useUploadFeed(): Bringing {
  const navigate = useNavigate()
  const [sent, setSent] = useState(0)
  const [refusal, setRefusal] = useState<string | null>(null)
  const stopper = useRef(new AbortController())
  const bringing = useMutation<FeedRun, Error, UploadResult>({
    mutationFn: ({ files, secondOf, ...input }) => {
      stopper.current = new AbortController()
      setSent(0)
      const signal = AbortSignal.any([stopper.current.signal, sessionSignal()])
      const options = { signal, onSent: setSent }
      if (secondOf !== undefined) return upload(feedRuns.addSecond, { id: secondOf }, files, options)
      return upload(feedRuns.add, input, files, options)
    },
    onSuccess: (run, { files: [file], secondOf }) => {
      if (secondOf === undefined && file !== undefined) rememberFile(run.id, file)
      queryClient.setQueryData([...keyOf(feedRuns.get), { id: run.id }], run)
      void queryClient.invalidateQueries({ queryKey: keyOf(feedRuns.list) })
    },
  })
  return {
    bring(brought) {
      const refused = refuseFiles(brought.files, brought.secondOf === undefined ? ONE_FEED : SECOND)
      setRefusal(refused)
      if (refused !== null) return
      // Who has gone elsewhere meanwhile is not fetched back: the run stands in the list.
      bringing.mutate(brought, {
        onSuccess: ({ id }) => void navigate({ to: '/inventory/feeds/$id', params: { id } }),
      })
    },
    file: bringing.isPending ? (bringing.variables.files[0] ?? null) : null,
    sent,
    // What was stopped is no failure.
    problem: refusal ?? (bringing.error instanceof CallFailure ? bringing.error.message : null),
    stop: () => stopper.current.abort(),
    dismiss() {
      setRefusal(null)
      bringing.reset()
    },
  }
}
