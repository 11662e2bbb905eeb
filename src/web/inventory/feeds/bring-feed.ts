import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type FeedRun, feedRuns } from '#contract/inventory/feed-runs.ts'
import { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { whilePresent } from '#web/ui/work/works.ts'
import { rememberFile } from './feed-files.ts'

/**
 * `second`: brought with it, and joined by its mapping; `secondOf`: the run that waits for this file; `mappingId`: read it
 * by this one; `lotId`: where rows of no known dealer stand.
 */
type Brought = {
  file: File
  second?: File | undefined
  secondOf?: string | undefined
  sourceId?: string
  mappingId?: string
  lotId?: string
}

export type Bringing = Readonly<{
  bring: (brought: Brought) => void
  /** The file on its way; null when none is. */
  file: File | null
  /** Bytes that are out. */
  sent: number
  /** Why the last one was not taken. */
  failure: CallFailure | null
  stop: () => void
  dismiss: () => void
}>

/** Sends a feed and opens the run that reads it. Nothing is changed until that is applied. */
export function useBringFeed(): Bringing {
  const navigate = useNavigate()
  const [sent, setSent] = useState(0)
  const stopper = useRef(new AbortController())
  const bringing = useMutation<FeedRun, Error, Brought>({
    mutationFn: ({ file, second, secondOf, ...input }) => {
      stopper.current = new AbortController()
      setSent(0)
      const signal = AbortSignal.any([stopper.current.signal, whilePresent()])
      const options = { signal, onSent: setSent }
      if (secondOf !== undefined) return upload(feedRuns.addSecond, { id: secondOf }, [file], options)
      return upload(feedRuns.add, input, second === undefined ? [file] : [file, second], options)
    },
    onSuccess: (run, { file, secondOf }) => {
      if (secondOf === undefined) rememberFile(run.id, file)
      queryClient.setQueryData([...keyOf(feedRuns.get), { id: run.id }], run)
      void queryClient.invalidateQueries({ queryKey: keyOf(feedRuns.list) })
    },
  })
  return {
    // Who has gone elsewhere meanwhile is not fetched back: the run stands in the list.
    bring: (brought) =>
      bringing.mutate(brought, {
        onSuccess: ({ id }) => void navigate({ to: '/inventory/feeds/$id', params: { id } }),
      }),
    file: bringing.isPending ? bringing.variables.file : null,
    sent,
    // What was stopped is no failure.
    failure: bringing.error instanceof CallFailure ? bringing.error : null,
    stop: () => stopper.current.abort(),
    dismiss: bringing.reset,
  }
}
