import type { z } from 'zod'
import { download, type FileEndpoint, saveFile } from '#web/api/download.ts'
import { toast } from '../feedback/toast.tsx'
import { startTask, dismissTask, updateTask, sessionSignal } from './background-tasks.ts'

/**
 * Downloads a file and saves it on the user's machine, with a progress notice that can be canceled. Throws a
 * CallFailure. `title` describes the task, "Export 86 vehicles".
 */
export async function fetchFile<I extends z.ZodType>(
  endpoint: FileEndpoint<I>,
  input: z.input<I>,
  title: string,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, sessionSignal()])
  const task = { kind: 'file', title, cancel: () => stop.abort() } as const
  const id = startTask({ ...task, bytes: 0 })
  try {
    const file = await download(endpoint, input, {
      signal,
      onBytes: (bytes) => updateTask(id, { ...task, bytes }),
    })
    saveFile(file)
    toast('File saved', file.name)
  } catch (failure) {
    if (!signal.aborted) throw failure
  } finally {
    dismissTask(id)
  }
}
