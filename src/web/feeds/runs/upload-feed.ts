import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { sessionSignal } from '#web/ui/tasks/background-tasks.ts'
import { rememberFile } from './feed-files.ts'
import { refuseFiles } from './feed-labels.ts'

/**
 * `files`: one, or two that a mapping joins; `secondOf`: the run that waits for this file; `mappingId`: the mapping to use;
 * `lotId`: the lot of rows without a known dealer ID.
 */
type UploadRequest = {
  files: readonly File[]
  secondOf?: string | undefined
  sourceId?: string
  mappingId?: string
  lotId?: string
}

export type FeedUpload = Readonly<{
  start: (request: UploadRequest) => void
  /** The file being uploaded; null if there is none. */
  file: File | null
  /** Bytes sent so far. */
  sent: number
  /** Why the last upload failed. */
  problem: string | null
  stop: () => void
  dismiss: () => void
}>

const ONE_FEED = { most: 2, rule: 'A feed is one file, or two files to join. Upload each feed separately.' }
const SECOND = { most: 1, rule: 'This feed needs only one more file. Upload just that file.' }

/** Uploads a feed and opens its page. Nothing changes until the feed is applied. */
export function useFeedUpload(): FeedUpload {
  const navigate = useNavigate()
  const [sent, setSent] = useState(0)
  const [refusal, setRefusal] = useState<string | null>(null)
  const stopper = useRef(new AbortController())
  const uploading = useMutation<FeedRun, Error, UploadRequest>({
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
    },
  })
  return {
    start(request) {
      const refused = refuseFiles(request.files, request.secondOf === undefined ? ONE_FEED : SECOND)
      setRefusal(refused)
      if (refused !== null) return
      // Skipped if the user has left the page: the feed is in the list.
      uploading.mutate(request, {
        onSuccess: ({ id }) => void navigate({ to: '/inventory/feeds/$id', params: { id } }),
      })
    },
    file: uploading.isPending ? (uploading.variables.files[0] ?? null) : null,
    sent,
    // Stopping an upload is not an error.
    problem: refusal ?? (uploading.error instanceof CallFailure ? uploading.error.message : null),
    stop: () => stopper.current.abort(),
    dismiss() {
      setRefusal(null)
      uploading.reset()
    },
  }
}
