import type { z } from 'zod'
import { download, type FileEndpoint, saveFile } from '#web/api/download.ts'
import { toast } from '../feedback/toast.tsx'
import { startTask, dismissTask, updateTask, sessionSignal } from './background-tasks.ts'

/**
 * Fetches a file and gives it to the person; meanwhile the foot of the page tells how much of it is there, and offers to
 * stop. Throws a CallFailure. `title` is what is done, "Export 86 vehicles".
 */
export async function fetchFile<I extends z.ZodType>(
  endpoint: FileEndpoint<I>,
  input: z.input<I>,
  title: string,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, sessionSignal()])
  const work = { kind: 'file', title, cancel: () => stop.abort() } as const
  const id = startTask({ ...work, bytes: 0 })
  try {
    const file = await download(endpoint, input, {
      signal,
      onBytes: (bytes) => updateTask(id, { ...work, bytes }),
    })
    saveFile(file)
    toast('File saved', file.name)
  } catch (failure) {
    if (!signal.aborted) throw failure
  } finally {
    dismissTask(id)
  }
}
